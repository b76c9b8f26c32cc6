import { anthropic } from './anthropic.ts';
import { compatibleProviders } from './compatible.ts';
import { demo } from './demo.ts';
import { google } from './google.ts';
import { openai } from './openai.ts';
import type { Provider } from './provider.ts';

/** All providers, in the order in which their models are listed. */
export const PROVIDERS: readonly Provider[] = [openai, anthropic, google, ...compatibleProviders, demo];

/** Returns the provider with that id. Throws if there is none. */
export function providerOf({ provider }: { provider: string }): Provider {
  const found = PROVIDERS.find(({ id }) => id === provider);
  if (found === undefined) throw new Error(`There is no provider "${provider}".`);
  return found;
}
