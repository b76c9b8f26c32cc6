import { type Fields, fieldsOf, isFilled, listOf, numberOf, textOf } from './fields.ts';

/** The contents of a delta or a message, read from the fields in which its server puts them. */
export interface Said {
  text: string;
  reasoning: string;
  refusal: string;
  /** Pieces of calls, in whatever form; undefined if there are none. */
  calls: unknown;
  /** OpenRouter's details about the thoughts. */
  details?: unknown;
}

/** The fields in which servers put the model's thoughts, the most usual first. Some fill two of them with the same. */
const REASONING = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text', 'thought', 'thoughts'] as const;

/**
 * Returns the object in an event that holds `delta`, `message`, and the reason for the end: the choice with the index 0 or
 * none, or the only one; without choices, the event itself, if it has a `delta`, a `message`, a `response`, or a `role`.
 * Undefined otherwise.
 */
export function choiceOf(value: Fields): Fields | undefined {
  const choices = listOf(value.choices).map(fieldsOf);
  // Of several replies, the first counts.
  const first = choices.find(({ index }) => (numberOf(index) ?? 0) === 0) ?? choices[0];
  if (first !== undefined) return (numberOf(first.index) ?? 0) === 0 || choices.length === 1 ? first : undefined;
  const speaks =
    isFilled(value.delta) || isFilled(value.message) || typeof value.response === 'string' || textOf(value.role) !== '';
  return speaks ? value : undefined;
}

/** Reads the text, reasoning, refusal, and calls of a delta or a message, or a plain text. */
export function saidBy(source: unknown): Said {
  if (typeof source === 'string') return { text: source, reasoning: '', refusal: '', calls: undefined };
  const fields = fieldsOf(source);
  const content = contentOf(fields.content ?? fields.text ?? fields.output_text ?? fields.response);
  const thoughts = REASONING.map((name) => wordsOf(fields[name])).find((words) => words !== '');
  const calls = fields.tool_calls ?? fields.toolCalls ?? fields.function_call;
  return {
    text: content.text,
    reasoning: (thoughts ?? wordsOf(fields.reasoning_details)) + content.reasoning,
    refusal: textOf(fields.refusal) + content.refusal,
    calls: listOf(calls).length === 0 ? undefined : calls,
    details: fields.reasoning_details,
  };
}

function contentOf(content: unknown): Omit<Said, 'calls' | 'details'> {
  const said = { text: '', reasoning: '', refusal: '' };
  if (typeof content === 'string') return { ...said, text: content };
  for (const part of listOf(content)) {
    if (typeof part === 'string') said.text += part;
    const { type, text, refusal, thinking, reasoning, summary } = fieldsOf(part);
    if (type === 'refusal') said.refusal += textOf(refusal) || textOf(text);
    else if (/think|reason|thought/i.test(textOf(type)))
      said.reasoning += wordsOf(thinking ?? reasoning ?? summary ?? text);
    else said.text += wordsOf(text);
  }
  return said;
}

/** Returns a text that may be in parts, or in an object; empty if there is none. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsOf).join('');
  const { text, content, summary, value: inner } = fieldsOf(value);
  const found = text ?? content ?? summary ?? inner;
  return found === undefined ? '' : wordsOf(found);
}

/** The fields in which servers put the number of tokens, by OpenAI's name. */
const COUNTS: Readonly<Record<'prompt_tokens' | 'completion_tokens' | 'total_tokens', readonly string[]>> = {
  prompt_tokens: [
    'prompt_tokens',
    'input_tokens',
    'prompt_eval_count',
    'promptTokens',
    'inputTokens',
    'promptTokenCount',
  ],
  completion_tokens: [
    'completion_tokens',
    'output_tokens',
    'eval_count',
    'completionTokens',
    'outputTokens',
    'candidatesTokenCount',
  ],
  total_tokens: ['total_tokens', 'totalTokens', 'totalTokenCount'],
};

/** Returns the numbers of tokens in an event, in OpenAI's form; undefined if it has none. */
export function usageOf(value: Fields): Fields | undefined {
  const places = [value.usage, choiceOf(value)?.usage, fieldsOf(value.x_groq).usage, value.usageMetadata, value];
  for (const place of places) {
    const given = fieldsOf(place);
    const counts = Object.entries(COUNTS).flatMap(([name, names]) => {
      const count = names.map((one) => numberOf(given[one])).find((one) => one !== undefined);
      return count === undefined ? [] : [[name, count] as const];
    });
    if (counts.length === 0) continue;
    const { prompt_tokens_details: prompt, completion_tokens_details: completion } = given;
    const rest = Object.entries(given).filter(([name]) => !(name in COUNTS) && !name.endsWith('_tokens_details'));
    const cached = numberOf(fieldsOf(prompt).cached_tokens ?? given.prompt_cache_hit_tokens ?? given.cached_tokens);
    const thought = numberOf(fieldsOf(completion).reasoning_tokens ?? given.reasoning_tokens);
    return {
      ...(place === value ? {} : Object.fromEntries(rest)),
      ...Object.fromEntries(counts),
      ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
      ...(thought !== undefined && { completion_tokens_details: { reasoning_tokens: thought } }),
    };
  }
  return undefined;
}
