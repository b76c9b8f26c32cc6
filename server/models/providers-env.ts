import type { Environment } from '#server/config/env.ts';
import { ConfigError } from '#server/config/errors.ts';
import { PROVIDER_PREFIXES, PROVIDERS, type ProviderId, readApiKey } from './config.ts';

/** A provider configured by the environment. Without `models`, its endpoint is asked for them. */
export interface ProviderSettings {
  provider: Exclude<ProviderId, 'demo'>;
  baseURL?: string;
  models?: readonly string[];
}

/** The providers with a key or a base URL in the environment. Throws `ConfigError` for an invalid base URL. */
export function readProviders(env: Environment): ProviderSettings[] {
  const providers: ProviderSettings[] = [];
  for (const [provider, prefixes] of Object.entries(PROVIDER_PREFIXES) as [ProviderSettings['provider'], string[]][]) {
    const read = (suffix: string) =>
      prefixes.map((prefix) => env[`${prefix}_${suffix}`]?.trim()).find((value) => value !== undefined && value !== '');
    const baseURL = read('BASE_URL');
    const models = read('MODEL')
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const hasKey = readApiKey({ provider }, env) !== undefined;
    const configured = provider === 'local' ? baseURL !== undefined : hasKey || baseURL !== undefined;
    if (!configured) {
      if (models === undefined) continue;
      const wanted = provider === 'local' ? 'LOCAL_BASE_URL' : `${prefixes[0]}_API_KEY`;
      throw new ConfigError(
        `${prefixes[0]}_MODEL is set, but ${wanted} is not. Set it, or unset ${prefixes[0]}_MODEL.`,
      );
    }
    if (baseURL !== undefined && !/^https?:\/\/[^/\s]+/.test(baseURL)) {
      throw new ConfigError(
        `${prefixes[0]}_BASE_URL=${baseURL}: must be an http(s) address, such as http://localhost:8000/v1`,
      );
    }
    providers.push({ provider, ...(baseURL ? { baseURL } : {}), ...(models?.length ? { models } : {}) });
  }
  const chosen = env.LLM_PROVIDER?.trim();
  if (chosen && !(PROVIDERS as readonly string[]).includes(chosen)) {
    throw new ConfigError(`LLM_PROVIDER=${chosen}: must be one of ${PROVIDERS.join(', ')}`);
  }
  if (chosen && chosen !== 'demo' && !providers.some(({ provider }) => provider === chosen)) {
    const prefix = PROVIDER_PREFIXES[chosen as ProviderSettings['provider']]?.[0];
    if (prefix !== undefined) {
      const wanted = chosen === 'local' ? 'LOCAL_BASE_URL' : `${prefix}_API_KEY`;
      throw new ConfigError(`LLM_PROVIDER=${chosen}, but ${wanted} is not set. Set it, or choose another provider.`);
    }
  }
  return providers;
}
