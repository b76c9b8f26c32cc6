import type { ResolvedModelConfig } from './config.ts';
import type { PersonalAccess } from './personal.ts';

/** Names a model at its address, apart for people's own connections. */
export const endpointKey = (
  { provider, baseURL, model }: ResolvedModelConfig,
  access: PersonalAccess | undefined,
): string => JSON.stringify([access === undefined ? 'server' : 'personal', provider, baseURL, model]);
