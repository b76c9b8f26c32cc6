import type { JSONObject, LanguageModelV4 } from '@ai-sdk/provider';
import type { ToolCallingChoice } from '#lib/messages/message.ts';
import type { ProtocolSettings } from '#lib/prompts/codec.ts';

/** Traits of a provider, at the address in use, that the agent must know. */
export interface ProviderTraits {
  /** Whether the provider verifies its own reasoning in the history. If so, it gets that back in later turns, too. */
  keepsReasoning: boolean;
  /** Whether the provider takes images in the results of tools. */
  takesResultImages: boolean;
  /** Whether the provider may tokenize the prompt together with a template, so that markers in texts would act. */
  rendersTemplates: boolean;
  /** The tag around reasoning in plain text; undefined if reasoning comes separately, or never. */
  reasoningTag: string | undefined;
  /** Matches the names that the provider accepts for tools. */
  toolName: RegExp;
  /** The name of the codec of the provider's models, if their tools are prompted and none is configured. */
  codec: string;
  /** Options for the provider that forbid more than one native call in a reply; undefined if it has none. */
  singleCallOptions?: Record<string, JSONObject>;
}

/** A model as the agent uses it: the provider's own model, and what is known about it. */
export interface AgentModel {
  /** Its id in the list of models. */
  id: string;
  /** Its provider's id. Data that a provider attached to its output goes back to that provider only (rule R17). */
  provider: string;
  traits: ProviderTraits;
  /** The configured way of tool calling; with `auto`, a refusal of native tools falls back to prompted ones. */
  toolCalling: ToolCallingChoice;
  /** Settings of the tool descriptions, where they differ from the defaults. */
  protocol?: Partial<Omit<ProtocolSettings, 'singleCalls'> & { singleCalls: boolean }> | undefined;
  /** Maximum tokens of the prompt and answer together; unknown if undefined. */
  contextSize?: number | undefined;
  /** The context size that other sources claim, if a smaller one was observed; null if they claim none. */
  claimedContextSize?: number | null | undefined;
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  toolChoice?: 'auto' | 'required' | undefined;
  /** Whether its server may leave out a part of a prompt without saying so. */
  mayCut?: boolean | undefined;
  /** Whether it takes images. */
  vision: boolean;
  /** Whether the reply starts inside the reasoning, because the template has opened it. */
  startsInReasoning: boolean;
  /** Options for the provider, by its name, such as the reasoning effort. */
  providerOptions: Record<string, JSONObject>;
  /** Whether the provider's model streams; otherwise the whole reply arrives as one chunk. */
  streams: boolean;
  /** Creates the provider's own model, without the agent's middleware. */
  create(): LanguageModelV4;
}
