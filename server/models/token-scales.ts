import type { ToolCallingMode } from '#lib/messages/message.ts';
import type { ResolvedModelConfig } from './config.ts';
import type { PersonalAccess } from './personal.ts';

/** How many models are remembered. */
const MODELS_MAX = 1_000;

/** How the tokens of models relate to estimates, as their servers reported. For threads that have no step yet. */
export class TokenScales {
  /** By address and model, apart for people's own connections. The one that was used last is at the end. */
  readonly #scales = new Map<string, number>();

  of(config: ResolvedModelConfig, access: PersonalAccess | undefined, mode: ToolCallingMode): number | undefined {
    return this.#scales.get(keyOf(config, access, mode));
  }

  remember(
    config: ResolvedModelConfig,
    access: PersonalAccess | undefined,
    mode: ToolCallingMode,
    scale: number,
  ): void {
    const key = keyOf(config, access, mode);
    this.#scales.delete(key);
    this.#scales.set(key, scale);
    const [oldest] = this.#scales.keys();
    if (this.#scales.size > MODELS_MAX && oldest !== undefined) this.#scales.delete(oldest);
  }
}

const keyOf = (
  { provider, baseURL, model }: ResolvedModelConfig,
  access: PersonalAccess | undefined,
  mode: ToolCallingMode,
): string => JSON.stringify([access === undefined ? 'server' : 'personal', provider, baseURL, model, mode]);
