import type { ModelUse } from '#lib/wire/model-config.ts';

/** The best settings for the models of a family, and their source. */
interface Profile {
  family: string;
  /** Matches the plain names of the family's models; see `plainName`. */
  models: RegExp;
  use: ModelUse;
  /** The source of the settings: a document of the maker, a report, or a measurement of ours. */
  source: string;
}

const PROMPTED = { toolCalling: 'prompted', codec: 'object', compact: true, examples: true } as const;

/**
 * Default settings for families of models. The first row whose pattern matches a model's name applies. Rows set the sampling,
 * and have tools described in the prompt for models that were not trained to call tools, or whose templates or servers lose
 * native calls. A row has only settings that its `source` states; a family without a source has no row.
 */
export const PROFILES: readonly Profile[] = [
  {
    family: 'DeepSeek',
    models: /\bdeepseek-?r1\b(?!.*0528)/,
    use: { ...PROMPTED, temperature: 0.6, topP: 0.95 },
    source:
      'README of deepseek-ai/DeepSeek-R1. Its template and those of the distilled models list no tools: deepseek-ai/DeepSeek-R1#51.',
  },
  {
    family: 'DeepSeek',
    models: /\bdeepseek-?r1\b.*0528/,
    use: { temperature: 0.6, topP: 0.95 },
    source: 'The model card of DeepSeek-R1-0528.',
  },
  {
    family: 'Qwen',
    models: /\bqwen-?2[.-]?5-?coder/,
    use: { ...PROMPTED, temperature: 0.7, topP: 0.8 },
    source:
      'Measured with 1.5B: docs/MODELS.md. Native calls get lost in other sizes, too: ollama/ollama#12174, vllm-project/vllm#32931. Sampling: QwenLM/Qwen3-Coder examples/Qwen2.5-Coder.md.',
  },
  {
    family: 'Qwen',
    models: /\bqwen-?3-?coder(?!-next)/,
    use: { temperature: 0.7, topP: 0.8 },
    source: 'The model card of Qwen3-Coder.',
  },
  {
    family: 'Qwen',
    models: /\bqwen-?3-(?:\d|next\b).*instruct/,
    use: { temperature: 0.7, topP: 0.8 },
    source: 'QwenLM/Qwen3 docs/source/getting_started/quickstart.md: without thinking.',
  },
  {
    family: 'Qwen',
    models: /\bqwen-?3(?:$|-(?:\d|next\b|latest\b|thinking\b))/,
    use: { temperature: 0.6, topP: 0.95 },
    source: 'QwenLM/Qwen3 docs/source/getting_started/quickstart.md: thinking, which is the default.',
  },
  {
    family: 'Qwen',
    models: /\bqwen-?2[.-]?5(?:$|-(?:\d|latest\b|instruct\b))/,
    use: { temperature: 0.7, topP: 0.8 },
    source: 'QwenLM/Qwen3 docs/source/deployment/tgi.rst.',
  },
  {
    family: 'DeepSeek',
    models: /\bdeepseek-(?:chat-)?v3-0324/,
    use: { temperature: 0.3 },
    source: 'The model card of DeepSeek-V3-0324.',
  },
  {
    family: 'Llama',
    models: /\bllama-?(?:3(?:[.-][1-3])?|4)(?:$|-(?:\d+b|instruct|latest|vision|scout|maverick)\b)/,
    use: { temperature: 0.6, topP: 0.9 },
    source: 'meta-llama/llama-models models/llama3/generation.py and models/llama4/generation.py.',
  },
  {
    family: 'Gemma',
    models: /\bgemma-?4(?![b\d.])/,
    use: { temperature: 1, topP: 0.95 },
    source: 'ai.google.dev/gemma/docs/core/model_card_4.',
  },
  {
    family: 'Gemma',
    models: /\bgemma-?3n?(?![a-z\d.])/,
    use: { ...PROMPTED, temperature: 1, topP: 0.95 },
    source:
      '“Not specifically trained for tool use”: google-deepmind/gemma colabs/tool_use.ipynb. Sampling: docs.unsloth.ai, from the Gemma team.',
  },
  {
    family: 'Gemma',
    models: /\bgemma-?2(?![b\d.])/,
    use: PROMPTED,
    source: 'google-deepmind/gemma colabs/tool_use.ipynb.',
  },
  {
    family: 'Mistral',
    models: /\bmistral-?small(?:-?3(?:[.-][12])?)?(?:$|-(?:24b|latest|250[136])\b)|\bministral-?3\b(?!.*reasoning)/,
    use: { temperature: 0.15 },
    source: 'The model cards of Mistral Small 3, 3.1 and 3.2, and vllm-project/recipes for Ministral 3.',
  },
  {
    family: 'Mistral',
    models: /\bmistral-?nemo\b/,
    use: { temperature: 0.3 },
    source: 'The model card of Mistral Nemo.',
  },
  {
    family: 'Phi',
    models: /\bphi-?4-?reasoning/,
    use: { temperature: 0.8, topP: 0.95 },
    source: 'The model card of Phi-4-reasoning.',
  },
  {
    family: 'Phi',
    models: /\bphi-?(?:3(?:\.5)?|4)(?![\d.]|-?(?:mini-(?:reasoning|flash)|multimodal|vision)|(?<=4)-?mini)/,
    use: PROMPTED,
    source:
      'Phi-4: its maker in vllm-project/vllm#14886. Phi-3: ggml-org/llama.cpp docs/function-calling.md, “Generic”.',
  },
  {
    family: 'SmolLM',
    models: /\bsmollm-?2(?![b\d.])/,
    use: { ...PROMPTED, temperature: 0.2, topP: 0.9 },
    source:
      'The model card of SmolLM2. Its template takes no tools. The smallest can do it in neither mode: docs/MODELS.md.',
  },
  {
    family: 'SmolLM',
    models: /\bsmollm-?3(?![\d.])/,
    use: { temperature: 0.6, topP: 0.95 },
    source: 'huggingface/smollm text/evaluation/smollm3/README.md.',
  },
  {
    family: 'GLM',
    models: /\bglm-?4\.6(?![a-z\d.])/,
    use: { temperature: 1 },
    source: 'zai-org/GLM-4.6 generation_config.json.',
  },
  {
    family: 'LFM',
    models: /\blfm-?2(?![a-z\d.]|.*-(?:vl|audio|colbert|tool|rag|extract|math)\b)/,
    use: { temperature: 0.3 },
    source: 'Liquid4All/docs lfm/getting-started/text-generation-and-prompting.md.',
  },
  {
    family: 'LFM',
    models: /\blfm-?2\.5-(?:230m|350m|1\.2b)\b(?!.*thinking)/,
    use: { temperature: 0.1 },
    source: 'vllm-project/recipes models/LiquidAI.',
  },
  {
    family: 'gpt-oss',
    models: /\bgpt-?oss\b/,
    use: { temperature: 1, topP: 1 },
    source: 'README of openai/gpt-oss.',
  },
];

/** Providers that serve their own models, with defaults that suit the models, so that no row of `PROFILES` applies. */
const MAKERS: ReadonlySet<string> = new Set(['openai', 'anthropic', 'google', 'deepseek', 'mistral', 'xai', 'demo']);

/** Matches names of models that others have derived from models in `PROFILES`, and for which its settings don't count. */
const OTHERS = /hermes|dolphin|nemotron|functionary|tulu|groq|guard|embed|rerank|-tools?\b/;

/** The last part of a model's name, in lower case, with hyphens between its parts: `org/Name_3:8b` is `name-3-8b`. */
const plainName = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/[^a-z\d.]+/g, '-');

interface ServedModel {
  provider: string;
  /** The provider's name for the model. */
  model: string;
  /** The address at which the model is served; absent for the provider's own. */
  baseURL?: string | undefined;
}

/**
 * Returns the first row of `PROFILES` that matches a model. Undefined if there is none, if the provider is the model's maker,
 * whose own defaults suit it, or if the model is one that others have derived from a model in the table.
 */
export function profileFor({ provider, model, baseURL }: ServedModel): Profile | undefined {
  if (MAKERS.has(provider) && baseURL === undefined) return undefined;
  const name = plainName(model);
  if (OTHERS.test(name)) return undefined;
  return PROFILES.find(({ models }) => models.test(name));
}

/** The settings of the profile that `profileFor` finds for a model; undefined if it finds none. */
export const profileOf = (model: ServedModel): ModelUse | undefined => profileFor(model)?.use;
