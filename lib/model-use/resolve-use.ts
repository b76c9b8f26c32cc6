import type { ToolCallingChoice, ToolCallingMode } from '#lib/messages/message.ts';
import { type ModelUse, modelUseSchema, type ObservedWindow, USE_SOURCES } from '#lib/wire/model-config.ts';

export type UseSource = (typeof USE_SOURCES)[number];

/** The settings that each source states. */
export type UseLayers = { readonly [Source in UseSource]?: ModelUse | undefined };

/** The part of a model's entry in the list of models that says how the model is used. */
interface DescribedUse {
  use: UseLayers;
  /**
   * The mode that the person or the operator has set; `auto` if neither has set one. `auto` falls back to prompted tools if
   * native ones are refused.
   */
  toolCalling: ToolCallingChoice;
  /** The mode that applies: the one that was set or, for `auto`, the one that it currently resolves to. */
  effectiveToolCalling: ToolCallingMode;
  /** The model's window in tokens; null if unknown, and then a cautious size is assumed. */
  contextSize: number | null;
}

/** The settings that apply, and their sources; the studio's default applies to absent ones. */
type ResolvedUse = {
  [Setting in keyof ModelUse]?: { value: NonNullable<ModelUse[Setting]>; source: UseSource };
};

const SETTINGS = modelUseSchema.keyof().options;

/** Takes each setting from the first source, in the order of `USE_SOURCES`, that states it. */
export function resolveUse(layers: UseLayers): ResolvedUse {
  const entries = SETTINGS.flatMap((setting) => {
    const source = USE_SOURCES.find((one) => layers[one]?.[setting] !== undefined);
    return source === undefined ? [] : [[setting, { value: layers[source]?.[setting], source }]];
  });
  return Object.fromEntries(entries) as ResolvedUse;
}

/**
 * The layers with the observed window, if the other layers still claim the size that they claimed when it was observed;
 * otherwise without any observed window.
 */
export function withObserved(layers: UseLayers, observed: ObservedWindow | undefined): UseLayers {
  const { observed: _, ...others } = layers;
  const claimed = resolveUse(others).contextSize?.value ?? null;
  if (observed === undefined || observed.claimed !== claimed) return others;
  return { ...others, observed: { contextSize: observed.contextSize } };
}

/** Checks whether a source is a choice of the person or the operator, which nothing that is learned changes. */
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
