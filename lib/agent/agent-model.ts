import type { JSONObject, LanguageModelV4 } from '@ai-sdk/provider';
import type { ToolCallingChoice } from '#lib/messages/message.ts';
import type { ProtocolSettings } from '#lib/prompts/codec.ts';

/** What a provider does that the agent must know, at the address that is used. */
export interface ProviderTraits {
  /** It verifies its own reasoning in the history, so it gets it back in later turns, too. */
  keepsReasoning: boolean;
  /** It takes images in the results of tools. */
  takesResultImages: boolean;
  /** It may tokenize the prompt together with a template, so that markers in texts would act. */
  rendersTemplates: boolean;
  /** The tag around reasoning in plain text; undefined if reasoning comes separately, or never. */
  reasoningTag: string | undefined;
  /** The names that it accepts for tools. */
  toolName: RegExp;
  /** The codec of its models if their tools are prompted and none is configured. */
  codec: string;
  /** Options for the provider that forbid more than one native call in a reply; undefined if it has none. */
  singleCallOptions?: Record<string, JSONObject>;
}

/** A model as the agent uses it: the provider's own model, and what is known about it. */
export interface AgentModel {
  /** In the list of models. */
  id: string;
  /** Its provider's id. Data that a provider attached to its output goes back to that provider only (rule R17). */
  provider: string;
  traits: ProviderTraits;
  /** As configured; with `auto`, a refusal of native tools falls back to prompted ones. */
  toolCalling: ToolCallingChoice;
  /** How tools are described if they are prompted, where it differs from the default. */
  protocol?: Partial<Omit<ProtocolSettings, 'singleCalls'> & { singleCalls: boolean }> | undefined;
  /** Maximum tokens of the prompt and answer together; unknown if undefined. */
  contextSize?: number | undefined;
  /** What is otherwise known of that, if less was observed; null if nothing is. */
  claimedContextSize?: number | null | undefined;
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  toolChoice?: 'auto' | 'required' | undefined;
  /** Whether its server may leave out a part of a prompt without saying so. */
  mayCut?: boolean | undefined;
  /** Whether it takes images. */
  vision: boolean;
  /** The reply starts inside the reasoning, because the template has opened it. */
  startsInReasoning: boolean;
  /** Options for the provider, by its name, such as the reasoning effort. */
  providerOptions: Record<string, JSONObject>;
  /** Whether the provider's model streams; otherwise the whole reply arrives as one chunk. */
  streams: boolean;
  /** The provider's own model, without anything around it. */
  create(): LanguageModelV4;
}
