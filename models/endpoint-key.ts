import type { ResolvedModelConfig } from './config.ts';
import type { PersonalAccess } from './personal.ts';

/**
 * Returns the name under which findings about a model at its address, such as its context window, are remembered. It differs
 * for the server's own models and those of people's connections, and contains no API key.
 */
export const endpointKey = (
  { provider, baseURL, model }: ResolvedModelConfig,
  access: PersonalAccess | undefined,
): string => JSON.stringify([access === undefined ? 'server' : 'personal', provider, baseURL, model]);
