import type { Environment } from '#config/env.ts';
import { markSecret } from '#log/redact.ts';
import type { ModelConfig } from './config.ts';
import { providerOf } from './providers/providers.ts';

/**
 * Returns the names of the environment variables that may hold a model's API key: the one that its configuration names,
 * otherwise those of its provider.
 */
export const keyVariables = (config: Pick<ModelConfig, 'provider' | 'apiKeyEnv'>): readonly string[] =>
  config.apiKeyEnv === undefined ? providerOf(config).keyVariables : [config.apiKeyEnv];

/**
 * Reads a model's API key from the environment, and marks it as a secret for the log; undefined if no variable has one. The
 * key is not stored.
 */
export function readApiKey(config: Pick<ModelConfig, 'provider' | 'apiKeyEnv'>, env: Environment): string | undefined {
  for (const name of keyVariables(config)) {
    const value = env[name]?.trim();
    if (!value) continue;
    markSecret(name);
    return value;
  }
  return undefined;
}
