import { textOfDataUrl } from '#lib/base/data-url.ts';
import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import type { CompactionPart, Message, UserMessage } from './message.ts';

type Summary = NonNullable<CompactionPart['summary']>;

/**
 * The workspace's folder for messages of the user that a summary of the conversation contains only in part, or not at all. Each
 * has a file with its whole text, so that the model can still read it with its tools.
 */
export const MESSAGES_FOLDER = '/.roundtrip/messages';

/** The length to which a message is shortened when there is little room, in characters. */
const LEAST_CHARS = 160;

/** The share of the room for messages that the newest ones may use up before older ones are shortened to `LEAST_CHARS`. */
const AMPLE_SHARE = 0.75;

/** A message of the person, as a summary of the conversation contains it: whole, shortened, or not at all. */
export interface Said {
  /** Its number among the person's messages, from 1. */
  number: number;
  /** Returns the whole message with the texts of attachments, which takes a while. */
  whole(): string;
  /** The person's own words, or their beginning and end; undefined if there is no room for any. */
  text: string | undefined;
  /** The path of the workspace's file for the whole message; undefined if `text` is the whole message. */
  path: string | undefined;
}

/**
 * Returns the person's messages before `from`, the point from which a summary of the conversation leaves everything as it is,
 * oldest first. They are shortened to the summary's room: `messageChars` for each, and `saidTokens` for all together, of which
 * the newest ones get the most. Depends on the branch and the summary alone, so that a prompt can be rebuilt.
 */
export function saidBefore(
  messages: readonly Message[],
  { from, messageChars, saidTokens }: Pick<Summary, 'from' | 'messageChars' | 'saidTokens'>,
): Said[] {
  const end = messages.findIndex(({ id }) => id === from.messageId);
  const asked = messages
    .slice(0, Math.max(0, messages[end]?.role === 'user' ? end : end + 1))
    .filter((message): message is UserMessage => message.role === 'user');
  let used = 0;
  return asked
    .map((message, index) => ({ message, number: index + 1 }))
    .toReversed()
    .map(({ message, number }): Said => {
      const own = ownWordsOf(message);
      const text = shortened(own, used < saidTokens * AMPLE_SHARE ? messageChars : LEAST_CHARS);
      used += estimateTokens(text);
      const isShown = used <= saidTokens;
      const isWhole = isShown && text === own && !message.parts.some(isAttachedText);
      const path = isWhole ? undefined : pathOf(number, message.id);
      return { number, whole: () => wholeOf(message), text: isShown ? text : undefined, path };
    })
    .reverse();
}

/** The path of a message's file: unique in a branch, and hardly ever the same for messages of two threads. */
const pathOf = (number: number, id: string): string =>
  `${MESSAGES_FOLDER}/${number}-${id.replace(/[^A-Za-z0-9]/g, '').slice(0, 64)}.txt`;

/** Returns the text that the person wrote, and the names of what they attached. */
const ownWordsOf = ({ parts }: UserMessage): string =>
  parts
    .map((part) => (part.type === 'text' ? part.text : `[Attached: ${oneLine(part.filename ?? 'file')}]`))
    .join('\n\n');

function wholeOf({ parts }: UserMessage): string {
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text;
      const name = oneLine(part.filename ?? 'file');
      return isAttachedText(part) ? `[Attached: ${name}]\n${textOfDataUrl(part.url)}` : `[Attached: ${name}]`;
    })
    .join('\n\n');
}

const isAttachedText = (part: UserMessage['parts'][number]): boolean =>
  part.type === 'file' && !part.mediaType.startsWith('image/');

/**
 * Returns a text with each sequence of line breaks and control characters replaced by a space, cut to 500 characters, so that a
 * file's name cannot pass for another part of the prompt.
 */
export const oneLine = (text: string): string => text.replace(/\p{C}+/gu, ' ').slice(0, 500);

/**
 * Returns a text or, if it is longer than `maxChars`, its beginning and its end, about that long together, with a note in
 * between.
 */
export function shortened(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  const beginning = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '');
  return `${beginning}\n[… ${text.length - beginning.length - end.length} characters are left out here …]\n${end}`;
}
