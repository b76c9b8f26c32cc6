import type { JSONObject, LanguageModelV4 } from '@ai-sdk/provider';
import type { ToolCallingChoice } from '#lib/messages/message.ts';
import type { ProtocolSettings } from '#lib/prompts/codec.ts';

/** Traits of a provider, at the address in use, that the agent must know. */
export interface ProviderTraits {
  /**
   * Whether the provider gets its own reasoning back in later turns, too, because the provider verifies it; otherwise only
   * within the turn.
   */
  keepsReasoning: boolean;
  /** Whether the provider takes images in the results of tools. */
  takesResultImages: boolean;
  /**
   * Whether the provider may render a prompt with a template before tokenizing it, so that a template's markers in messages
   * would act as real ones.
   */
  rendersTemplates: boolean;
  /**
   * The name of the tag around reasoning in the text of a reply, such as `think`; undefined if reasoning comes apart from the
   * text, or never.
   */
  reasoningTag: string | undefined;
  /** Matches the names that the provider accepts for tools. */
  toolName: RegExp;
  /** The id of the codec, which is the form of calls in text, for the provider's models if no codec is configured. */
  codec: string;
  /**
   * Options for the provider that forbid more than one native call in a reply; undefined if the provider has no such options.
   */
  singleCallOptions?: Record<string, JSONObject>;
}

/** A model as the agent uses it: the provider's own model, and what is known about it. */
export interface AgentModel {
  /** The model's id in the list of models. */
  id: string;
  /** The id of the model's provider. Data that a provider attached to its output goes back to that provider only (rule R17). */
  provider: string;
  traits: ProviderTraits;
  /**
   * The configured way of tool calling. With `auto`, tools are native until the provider refuses them, or the model keeps
   * writing its calls as text; from then on, they are prompted.
   */
  toolCalling: ToolCallingChoice;
  /** Settings of the tool descriptions, where they differ from the defaults. */
  protocol?: Partial<Omit<ProtocolSettings, 'singleCalls'> & { singleCalls: boolean }> | undefined;
  /** Maximum tokens of the prompt and answer together; unknown if undefined. */
  contextSize?: number | undefined;
  /** Present if `contextSize` is a smaller size that was observed: the size that was claimed, or null if none was. */
  claimedContextSize?: number | null | undefined;
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  toolChoice?: 'auto' | 'required' | undefined;
  /** Whether the model's server may silently leave out a part of a prompt that is too long. */
  mayCut?: boolean | undefined;
  /** Whether the model takes images. */
  vision: boolean;
  /** Whether a reply starts inside the reasoning, because the model's template has already opened the reasoning's tag. */
  startsInReasoning: boolean;
  /** Options for the provider, such as the reasoning effort, by the provider's name in the AI SDK. */
  providerOptions: Record<string, JSONObject>;
  /** Whether the provider's model streams; otherwise the whole reply arrives as one chunk. */
  streams: boolean;
  /** Creates the provider's own model, without the agent's middleware. */
  create(): LanguageModelV4;
}
