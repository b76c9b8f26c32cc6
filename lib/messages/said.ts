import { textOfDataUrl } from '#lib/base/data-url.ts';
import type { CompactionPart, Message, UserMessage } from './message.ts';

type Summary = NonNullable<CompactionPart['summary']>;

/** Where the workspace holds messages that a summary does not contain as a whole. */
export const MESSAGES_FOLDER = '/.roundtrip/messages';

/** What is left of a message when there is no room for more, in characters. */
const LEAST_CHARS = 160;

/** A message of the person, as a summary contains it. */
export interface Said {
  /** Its number among the person's messages. */
  number: number;
  /** As a whole. */
  whole: string;
  /** All of it, or its beginning and its end. */
  text: string;
  /** The file of the workspace that holds the whole, if `text` does not. */
  path: string | undefined;
}

/**
 * The person's messages before the point from which a summary keeps everything, oldest first. The newest ones have the
 * most room. Depends on the branch and the summary alone, so that a prompt can be rebuilt.
 */
export function saidBefore(
  messages: readonly Message[],
  { from, messageChars, saidChars }: Pick<Summary, 'from' | 'messageChars' | 'saidChars'>,
): Said[] {
  const end = messages.findIndex(({ id }) => id === from.messageId);
  const said = messages
    .slice(0, Math.max(0, messages[end]?.role === 'user' ? end : end + 1))
    .filter((message): message is UserMessage => message.role === 'user')
    .map((message, index) => ({ number: index + 1, id: message.id, whole: textOf(message) }));
  let left = saidChars;
  return said
    .toReversed()
    .map(({ id, ...one }) => {
      const text = shortened(one.whole, left > messageChars ? messageChars : LEAST_CHARS);
      left -= text.length;
      return { ...one, text, path: text === one.whole ? undefined : pathOf(one.number, id) };
    })
    .reverse();
}

const pathOf = (number: number, id: string): string =>
  `${MESSAGES_FOLDER}/${number}-${id.replace(/[^A-Za-z0-9]/g, '').slice(0, 8)}.txt`;

function textOf({ parts }: UserMessage): string {
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text;
      const name = part.filename ?? 'file';
      return part.mediaType.startsWith('image/')
        ? `[The image ${name} was attached.]`
        : `[Attached file ${name}:]\n${textOfDataUrl(part.url)}`;
    })
    .join('\n\n');
}

/** A text, or its beginning and its end if it is longer than that, with a note in between. */
export function shortened(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  const beginning = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '');
  return `${beginning}\n[… ${text.length - beginning.length - end.length} characters are left out here …]\n${end}`;
}
