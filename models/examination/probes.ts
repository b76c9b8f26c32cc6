import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { ReadCall } from './ask.ts';

/** The reference that the system prompt tells the model, in each request but the longest one. */
const REFERENCE = 'RT-4711';

/** The number that a saved note gets. */
const NOTE_NUMBER = '5741';

/**
 * Returns the system prompt of an examination. It is longer than the tools, so that a prompt with tools gets shorter if the
 * endpoint leaves out the system prompt for them. The model must copy the prompt's reference into its call. `day`: makes
 * prompts differ from their beginning, because some endpoints do not count the part that they have in their cache.
 */
export const systemPrompt = (day: number): string =>
  [
    `Today is day ${day} of the office.`,
    `The reference of this conversation is ${REFERENCE}. You are the clerk of a small office that keeps notes.`,
    'Notes are kept exactly as they are dictated. Quotation marks, line breaks, and letters of other alphabets stay as they are, because people look for them later. Nothing is added, and nothing is left out.',
    'A note has a title, a text, a list of items with a name and an amount, and the reference of the conversation in which it was dictated. The office gives each note a number when it is saved. Whoever dictates a note wants to know that number, and only that.',
    'The office also has a register of cities. It answers one city at a time, and it does not mind how many questions arrive at once. Questions that do not depend on each other are asked together, because people are waiting.',
    'Visitors come from everywhere, so the office answers in plain words and short sentences. It does not explain how it works, it does not apologize, and it does not repeat what was said. If something cannot be done, it says so at once and names the reason. If a question is unclear, it asks one question back, and no more than one.',
    'The office is open all day. It keeps no secrets and knows no passwords. It never guesses: what is not in its notes or in its register, it does not know. It does not add up what nobody asked it to add up, and it does not translate unless somebody wants a translation.',
  ].join('\n\n');

const OFFICE = { toolset: 'office', needs: [], presentation: { verb: 'call' } } satisfies Partial<ToolSpec>;

const SAVE_NOTE: ToolSpec = {
  ...OFFICE,
  name: 'save_note',
  description: 'Saves a note and returns its number.',
  effect: 'write',
  inputSchema: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      text: { type: 'string' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, amount: { type: 'integer' } },
          required: ['name', 'amount'],
        },
      },
      reference: { type: 'string', description: 'The reference of this conversation' },
    },
    required: ['title', 'text', 'items', 'reference'],
  },
};

const LOOK_UP_CITY: ToolSpec = {
  ...OFFICE,
  name: 'look_up_city',
  description: 'Returns what the register says about one city.',
  effect: 'read',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** The tools that an examination offers to the model. They are never run. */
export const TOOLS: readonly ToolSpec[] = [SAVE_NOTE, LOOK_UP_CITY];

/** The message of an examination whose reply does not matter: it only shows whether tools are accepted and counted. */
export const GREETING = 'Good morning.';

const TITLE = 'The "blue" café';
const TEXT = 'First line\nSecond line: 日本語 🙂';
const ITEMS = [
  { name: 'pen', amount: 2 },
  { name: 'book', amount: 1 },
];

/**
 * The message of an examination that asks the model to save a dictated note with the tool `save_note`, and to tell its number.
 * The note has quotation marks, a line break, an emoji, Japanese characters, and a list of items, so that the call shows
 * whether the model writes such arguments correctly.
 */
export const DICTATION = `Save a note with the tool save_note, and then tell me its number.
Title: ${TITLE}
Text, in two lines:
${TEXT}
Items: 2 of pen, 1 of book`;

/** The result that the model gets for the call that saves the note of `DICTATION`. */
export const NOTE_SAVED = `Saved. The number of the note is ${NOTE_NUMBER}.`;

/** The message of an examination that needs two calls that do not depend on each other. */
export const TWO_CITIES = 'Look up Oslo and Lima in the register with the tool look_up_city, both at once.';

/** An assessment of the call that saves the note of `DICTATION`. */
export interface NoteCall {
  /** Whether the call can be read, and has all arguments in their types. */
  isReadable: boolean;
  /** Whether each argument is what was dictated. */
  isExact: boolean;
  /** Whether the call has the reference, which only the system prompt names. */
  knowsReference: boolean;
}

interface Note {
  title: string;
  text: string;
  items: { name: string; amount: number }[];
  reference: string;
}

/** Assesses the call that saves the note of `DICTATION`, among the calls of a reply; undefined if there is none. */
export function noteCall(calls: readonly ReadCall[]): NoteCall | undefined {
  const call = calls.find(({ name }) => name === SAVE_NOTE.name);
  if (call === undefined) return undefined;
  const isReadable = isNote(call.input);
  if (!isReadable) return { isReadable, isExact: false, knowsReference: false };
  const { title, text, items, reference } = call.input as Note;
  return {
    isReadable,
    isExact:
      title.trim() === TITLE &&
      text.trim() === TEXT &&
      items.length === ITEMS.length &&
      ITEMS.every(({ name, amount }, index) => items[index]?.name === name && Number(items[index].amount) === amount),
    knowsReference: reference.includes(REFERENCE),
  };
}

function isNote(input: unknown): input is Note {
  if (typeof input !== 'object' || input === null) return false;
  const { title, text, items, reference } = input as Record<string, unknown>;
  return (
    [title, text, reference].every((value) => typeof value === 'string') &&
    Array.isArray(items) &&
    items.every((item) => typeof item === 'object' && item !== null && 'name' in item && 'amount' in item)
  );
}

/** Checks whether an answer names the number that `NOTE_SAVED` tells the model. */
export const namesNumber = (text: string): boolean => text.replace(/\D/g, '').includes(NOTE_NUMBER);

/**
 * Classifies the calls in a reply to `TWO_CITIES`: one for each city (`together`), for only one of them (`one`), one call with
 * both cities (`merged`), or none.
 */
export function cityCalls(calls: readonly ReadCall[]): 'together' | 'one' | 'merged' | 'none' {
  const cities = calls.filter(({ name }) => name.includes(LOOK_UP_CITY.name)).map(({ input }) => JSON.stringify(input));
  const [first] = cities;
  if (first === undefined) return 'none';
  const has = (name: string) => cities.some((city) => city.includes(name));
  if (cities.some((city) => city.includes('Oslo') && city.includes('Lima'))) return 'merged';
  return has('Oslo') && has('Lima') ? 'together' : 'one';
}

const CODE_WORDS = [
  ...['MAPLE', 'CEDAR', 'BIRCH', 'ALDER', 'HAZEL', 'ROWAN', 'ASPEN', 'LARCH'],
  ...['OLIVE', 'PEACH', 'LEMON', 'MANGO', 'GRAPE', 'APPLE', 'CHIVE', 'BASIL'],
] as const;

const FILLER =
  'The office opens in the morning and closes in the evening, and in between people come and go with their notes. ';

/**
 * Makes a prompt of about `characters` characters, with code words at even distances, the first one in front. It asks for
 * the first code word. `day`: a number that makes prompts differ from their beginning.
 */
export function needlePrompt(characters: number, day: number): string {
  const distance = Math.floor(characters / CODE_WORDS.length);
  const sections = CODE_WORDS.map((word) => {
    const line = `Code word: ${word}. `;
    return line + FILLER.repeat(Math.max(1, Math.floor((distance - line.length) / FILLER.length)));
  });
  return `Day ${day}. ${sections.join('\n')}\nWhich is the very first code word in this text? Reply with that word only.`;
}

/**
 * Estimates the share of `needlePrompt` that a model has seen, up to 1, by the first code word that it names: endpoints cut
 * prompts at the front. Undefined if it names none, or one of the last two, which models that have seen everything name, too.
 */
export function seenShareOfPrompt(reply: string): number | undefined {
  const first = CODE_WORDS.findIndex((word) => reply.toUpperCase().includes(word));
  return first === -1 || first >= CODE_WORDS.length - 2 ? undefined : 1 - first / CODE_WORDS.length;
}
