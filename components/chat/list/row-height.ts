import type { AssistantMessage, Message } from '#lib/messages/message.ts';

/**
 * The height of a line of text. All heights here are in CSS pixels at the usual width of the conversation, and need only be
 * about right.
 */
const LINE = 24;
/** The number of characters in a line of text. */
const LINE_CHARACTERS = 95;
const CODE_LINE = 20;
/** The maximum height of a code block in CSS pixels; a longer block scrolls. */
const CODE_MAX = 384;
const CODE_FRAME = 60;
const CARD = 44;
const IMAGE = 200;
/** The height, in CSS pixels, of the name above a user's message, its actions, and its margins. */
const USER_FRAME = 90;
/** The height, in CSS pixels, of the name above an assistant's message, its actions, and its margins. */
const ASSISTANT_FRAME = 110;
/** The height of a text with more characters is estimated from this many at its beginning. */
const READ_MAX = 50_000;

const estimates = new WeakMap<Message, number>();

/** Estimates the height of a message that has not been rendered yet, in CSS pixels. */
export function estimateHeight(message: Message): number {
  const known = estimates.get(message);
  if (known !== undefined) return known;
  const height =
    message.role === 'user' ? USER_FRAME + heightOfUser(message.parts) : ASSISTANT_FRAME + heightOf(message);
  estimates.set(message, height);
  return height;
}

const heightOfUser = (parts: Extract<Message, { role: 'user' }>['parts']): number =>
  parts.reduce((sum, part) => {
    if (part.type === 'text') return sum + Math.min(heightOfText(part.text), 500);
    return sum + (part.mediaType.startsWith('image/') ? IMAGE : CARD);
  }, 0);

function heightOf({ parts }: AssistantMessage): number {
  let height = 0;
  for (const part of parts) {
    if (part.type === 'text') height += heightOfText(part.text);
    else if (part.type === 'tool-call' || part.type === 'reasoning' || part.type === 'compaction') height += CARD;
  }
  return height;
}

function heightOfText(text: string): number {
  const read = text.slice(0, READ_MAX);
  let height = 0;
  let code: number | undefined;
  for (const line of read.split('\n')) {
    if (line.startsWith('```')) {
      if (code !== undefined) height += Math.min(code * CODE_LINE, CODE_MAX) + CODE_FRAME;
      code = code === undefined ? 0 : undefined;
    } else if (code !== undefined) code++;
    else height += line === '' ? LINE / 2 : Math.ceil(line.length / LINE_CHARACTERS) * LINE;
  }
  if (code !== undefined) height += Math.min(code * CODE_LINE, CODE_MAX) + CODE_FRAME;
  return (height * text.length) / Math.max(1, read.length);
}
