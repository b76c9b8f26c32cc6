import type { ToolCallingMode } from '#lib/messages/message.ts';
import { BoundedMap } from './bounded-map.ts';
import type { ResolvedModelConfig } from './config.ts';
import { endpointKey } from './endpoint-key.ts';
import type { PersonalAccess } from './personal.ts';

/** The maximum number of models that are remembered in each mode. */
const MODELS_MAX = 1_000;

/**
 * Remembers, by model and mode of calling tools, the ratio of the tokens that the model's server counted to the studio's
 * estimate, to correct estimates in conversations that have no step, and so no count of their own, yet. `of` returns undefined
 * if no ratio is known.
 */
export class TokenScales {
  readonly #scales = {
    native: new BoundedMap<string, number>(MODELS_MAX),
    prompted: new BoundedMap<string, number>(MODELS_MAX),
  };

  of(config: ResolvedModelConfig, access: PersonalAccess | undefined, mode: ToolCallingMode): number | undefined {
    return this.#scales[mode].get(endpointKey(config, access));
  }

  remember(
    config: ResolvedModelConfig,
    access: PersonalAccess | undefined,
    mode: ToolCallingMode,
    scale: number,
  ): void {
    this.#scales[mode].set(endpointKey(config, access), scale);
  }
}
