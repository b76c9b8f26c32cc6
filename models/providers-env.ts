import type { Environment } from '#config/env.ts';
import { ConfigError } from '#config/errors.ts';
import { readApiKey } from './api-key.ts';
import { PROVIDERS } from './providers/providers.ts';

/** The providers that environment variables can configure. */
const CONFIGURABLE = PROVIDERS.filter(({ prefixes }) => prefixes.length > 0);

/** A provider configured by the environment. Without `models`, its endpoint is asked for them. */
export interface ProviderSettings {
  provider: string;
  baseURL?: string;
  models?: readonly string[];
}

/**
 * Returns the providers that the environment configures: by a base URL or, if a provider has one of its own, by a key alone.
 * Keys are not in the result. Throws `ConfigError` for an invalid base URL, for models of a provider that is not configured,
 * and if `LLM_PROVIDER` names a provider that is unknown or not configured.
 */
export function readProviders(env: Environment): ProviderSettings[] {
  const providers: ProviderSettings[] = [];
  for (const { id: provider, prefixes, baseURL: ownURL } of CONFIGURABLE) {
    const read = (suffix: string) =>
      prefixes.map((prefix) => env[`${prefix}_${suffix}`]?.trim()).find((value) => value !== undefined && value !== '');
    const baseURL = read('BASE_URL');
    const models = read('MODEL')
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const hasKey = readApiKey({ provider }, env) !== undefined;
    const configured = (ownURL !== undefined && hasKey) || baseURL !== undefined;
    if (!configured) {
      if (models === undefined) continue;
      const wanted = `${prefixes[0]}_${ownURL === undefined ? 'BASE_URL' : 'API_KEY'}`;
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
  checkChosen(env.LLM_PROVIDER?.trim(), providers);
  return providers;
}

/** Throws `ConfigError` if `LLM_PROVIDER` names a provider that is unknown, or not configured. */
function checkChosen(chosen: string | undefined, providers: readonly ProviderSettings[]): void {
  if (!chosen || providers.some(({ provider }) => provider === chosen)) return;
  const known = PROVIDERS.find(({ id }) => id === chosen);
  if (known === undefined)
    throw new ConfigError(`LLM_PROVIDER=${chosen}: must be one of ${PROVIDERS.map(({ id }) => id).join(', ')}`);
  const [prefix] = known.prefixes;
  if (prefix === undefined) return;
  const wanted = `${prefix}_${known.baseURL === undefined ? 'BASE_URL' : 'API_KEY'}`;
  throw new ConfigError(`LLM_PROVIDER=${chosen}, but ${wanted} is not set. Set it, or choose another provider.`);
}
