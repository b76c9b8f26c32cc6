import type { ToolCallingChoice, ToolCallingMode } from '#lib/messages/message.ts';
import { type ModelUse, modelUseSchema, type ObservedWindow, USE_SOURCES } from '#lib/wire/model-config.ts';

export type UseSource = (typeof USE_SOURCES)[number];

/** The settings that each source states. */
export type UseLayers = { readonly [Source in UseSource]?: ModelUse | undefined };

/** The use of a model, as a list of models describes it. */
export interface DescribedUse {
  use: UseLayers;
  /** As fixed by somebody; otherwise, a refusal of native tools falls back to prompted ones. */
  toolCalling: ToolCallingChoice;
  /** The mode that `auto` currently resolves to. */
  effectiveToolCalling: ToolCallingMode;
  /** Null if unknown; then a cautious size is assumed. */
  contextSize: number | null;
}

/** The settings that apply, and their sources; the studio's default applies to absent ones. */
export type ResolvedUse = {
  [Setting in keyof ModelUse]?: { value: NonNullable<ModelUse[Setting]>; source: UseSource };
};

const SETTINGS = modelUseSchema.keyof().options;

/** Decides each setting separately. */
export function resolveUse(layers: UseLayers): ResolvedUse {
  const entries = SETTINGS.flatMap((setting) => {
    const source = USE_SOURCES.find((one) => layers[one]?.[setting] !== undefined);
    return source === undefined ? [] : [[setting, { value: layers[source]?.[setting], source }]];
  });
  return Object.fromEntries(entries) as ResolvedUse;
}

/** The layers with a window that was observed, if the others still claim what they claimed then. */
export function withObserved(layers: UseLayers, observed: ObservedWindow | undefined): UseLayers {
  const { observed: _, ...others } = layers;
  const claimed = resolveUse(others).contextSize?.value ?? null;
  if (observed === undefined || observed.claimed !== claimed) return others;
  return { ...others, observed: { contextSize: observed.contextSize } };
}

/** Checks whether a person or an operator has decided; what was learned does not change that. */
const isFixed = (source: UseSource): boolean => source === 'file' || source === 'person';

/** Describes the use of a model that results from its layers. */
export function describeUse(use: UseLayers): DescribedUse {
  const { toolCalling, contextSize } = resolveUse(use);
  return {
    use,
    toolCalling: toolCalling !== undefined && isFixed(toolCalling.source) ? toolCalling.value : 'auto',
    effectiveToolCalling: toolCalling?.value ?? 'native',
    contextSize: contextSize?.value ?? null,
  };
}
