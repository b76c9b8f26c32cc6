import { directFetch } from '#net/direct-fetch.ts';
import { BoundedMap } from './bounded-map.ts';
import type { ResolvedModelConfig } from './config.ts';
import { endpointKey } from './endpoint-key.ts';
import type { PersonalAccess } from './personal.ts';
import { isOwnAddress } from './providers/provider.ts';
import { providerOf } from './providers/providers.ts';
import { type ServedModel, servedWindow } from './served-window.ts';

/** The time that a prompt waits for a server to say what it serves, in milliseconds. */
const WAIT_MS = 1_000;

/**
 * The time for which an answer, or the lack of one, is valid, in milliseconds: a server may be started with another
 * window.
 */
const MAX_AGE_MS = 30_000;

/** The maximum number of models that are remembered. */
const MODELS_MAX = 1_000;

/**
 * Returns what `servedWindow` needs to ask a model's server for its window: the address, the model's name, the key, and how to
 * make the request. Undefined for a model without an address, and for one at its provider's own address: the price table has
 * the windows of those.
 */
export function servedModel(
  config: ResolvedModelConfig,
  apiKey: string | undefined,
  access: PersonalAccess | undefined,
): ServedModel | undefined {
  const provider = providerOf(config);
  const { baseURL = provider.baseURL, model } = config;
  if (baseURL === undefined || (provider.baseURL !== undefined && isOwnAddress(provider, config))) return undefined;
  return { baseURL, model, apiKey, fetch: access?.fetch ?? directFetch, allows: access?.allows };
}

/** Remembers the context windows with which servers say that they serve their models. */
export class ServedWindows {
  readonly #known = new BoundedMap<string, { window: number | undefined; askedAt: number }>(MODELS_MAX);

  /** Returns the window of one of the studio server's own models, in tokens, without asking; undefined if it is not known. */
  known(config: ResolvedModelConfig): number | undefined {
    return this.#known.get(endpointKey(config, undefined))?.window;
  }

  /**
   * Returns a model's window in tokens, and asks its server if the last answer is old. If the server does not answer in time,
   * its last answer counts. Undefined if there is none, or the server does not say. Never rejects.
   */
  async of(
    config: ResolvedModelConfig,
    apiKey: string | undefined,
    access: PersonalAccess | undefined,
  ): Promise<number | undefined> {
    const served = servedModel(config, apiKey, access);
    if (served === undefined) return undefined;
    const key = endpointKey(config, access);
    const known = this.#known.get(key);
    if (known !== undefined && Date.now() - known.askedAt < MAX_AGE_MS) return known.window;
    // One that is not reached in time may still serve what it said before.
    const window = await servedWindow(served, AbortSignal.timeout(WAIT_MS)).catch(() => known?.window);
    this.#known.set(key, { window, askedAt: Date.now() });
    return window;
  }
}
