import type { ToolCallingChoice, ToolCallingMode } from '#lib/messages/message.ts';
import { type ModelUse, modelUseSchema, type ObservedWindow, USE_SOURCES } from '#lib/wire/model-config.ts';

/** A source of settings for using a model, such as `person`, the person's choices; `USE_SOURCES` explains all of them. */
export type UseSource = (typeof USE_SOURCES)[number];

/**
 * The settings for using a model, by the source that states them, such as `file` for the operator's file or `person` for the
 * person's choice.
 */
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

/**
 * Returns the settings that apply to a model: each from the first source, in the order of `USE_SOURCES`, that states it, with
 * the name of that source. A setting that no source states is absent.
 */
export function resolveUse(layers: UseLayers): ResolvedUse {
  const entries = SETTINGS.flatMap((setting) => {
    const source = USE_SOURCES.find((one) => layers[one]?.[setting] !== undefined);
    return source === undefined ? [] : [[setting, { value: layers[source]?.[setting], source }]];
  });
  return Object.fromEntries(entries) as ResolvedUse;
}

/**
 * Returns the layers with `observed`, the context window that the model's server was seen to keep to, if the other layers still
 * claim the size that they claimed at that time; otherwise without any observed window.
 */
export function withObserved(layers: UseLayers, observed: ObservedWindow | undefined): UseLayers {
  const { observed: _, ...others } = layers;
  const claimed = resolveUse(others).contextSize?.value ?? null;
  if (observed === undefined || observed.claimed !== claimed) return others;
  return { ...others, observed: { contextSize: observed.contextSize } };
}

/** Checks whether a source is a choice of the person or the operator, which nothing that is learned changes. */
const isFixed = (source: UseSource): boolean => source === 'file' || source === 'person';

/**
 * Describes how a model is used according to its layers: the mode of tool calling that the person or the operator has set
 * (`auto` if neither has), the mode that applies at present (`native` if no source states one), and the size of its context
 * window (null if no source states it).
 */
export function describeUse(use: UseLayers): DescribedUse {
  const { toolCalling, contextSize } = resolveUse(use);
  return {
    use,
    toolCalling: toolCalling !== undefined && isFixed(toolCalling.source) ? toolCalling.value : 'auto',
    effectiveToolCalling: toolCalling?.value ?? 'native',
    contextSize: contextSize?.value ?? null,
  };
}
