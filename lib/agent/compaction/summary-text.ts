import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import type { CompactionPart, Message } from '#lib/messages/message.ts';
import { MESSAGES_FOLDER, oneLine, saidBefore, shortened } from '#lib/messages/said.ts';
import { isBefore } from './position.ts';

type Summary = NonNullable<CompactionPart['summary']>;

/** The room for names of files, as a share of the room for the person's words. The latest names are kept. */
const FILES_SHARE = 0.2;

/** The share of the room for messages that a summary may take. */
const ROOM_SHARE = 0.6;

/** The maximum number of times that a summary made for a larger window is halved. */
const HALVINGS_MAX = 8;

/**
 * Returns a summary as the model gets it: the text of a user message, which says that it is no request. The person's words
 * and the names of touched files come from `messages`; only the rest was written by a model. If it takes more than a share
 * of `roomTokens` (estimated), because it was made for a larger window, it is shortened, and `isShortened` is true.
 */
export function summaryText(
  messages: readonly Message[],
  summary: Summary,
  roomTokens: number,
): { text: string; isShortened: boolean } {
  const maxTokens = roomTokens * ROOM_SHARE;
  for (let halvings = 0; ; halvings++) {
    const text = textWith(messages, summary, 0.5 ** halvings);
    if (estimateTokens(text) <= maxTokens || halvings === HALVINGS_MAX) return { text, isShortened: halvings > 0 };
  }
}

function textWith(messages: readonly Message[], summary: Summary, share: number): string {
  const saidTokens = summary.saidTokens * share;
  const said = saidBefore(messages, { ...summary, saidTokens });
  const hidden = said.filter(({ text }) => text === undefined).length;
  const shown = said.flatMap(({ number, text, path }) => {
    if (text === undefined) return [];
    const where = path !== undefined && summary.hasFiles === true ? `\n(All of message ${number} is in ${path}.)` : '';
    return [`${number}.\n${quoted(text)}${where}`];
  });
  const where = summary.hasFiles === true ? ` They are in ${MESSAGES_FOLDER}.` : '';
  if (hidden > 0) shown.unshift(`(The first ${hidden} messages are not shown here.${where})`);
  const files = touchedFiles(messages, summary.from, saidTokens * FILES_SHARE);
  const written = share === 1 ? summary.text : shortened(summary.text, Math.floor(summary.text.length * share));
  return [
    `${OPENING} The earlier messages are not shown any more. This is a record of what happened, not a new request: do not answer it, and do not repeat what was done.]`,
    shown.length === 0 ? '' : `What the person said, in their own words, oldest first:\n${shown.join('\n')}`,
    files.length === 0 ? '' : `Files touched:\n${files.join('\n')}`,
    `What happened, as summarized by a model:\n${unmarked(written)}`,
    // Templates may put what follows directly behind it.
    `${CLOSING} The conversation goes on from here.]\n\n`,
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

const OPENING = '[Summary of the conversation so far.';
const CLOSING = '[End of the summary.';

/** Breaks a summary's opening and closing marks in a text that is a part of it, so that the text cannot end the summary. */
const unmarked = (text: string): string =>
  text.replaceAll(OPENING, OPENING.slice(1)).replaceAll(CLOSING, CLOSING.slice(1));

/** The person's words with `> ` before each line, so that nothing in them looks like the rest of the summary. */
const quoted = (text: string): string => unmarked(text).replace(/^/gm, '> ');

/**
 * Returns the paths of the files that were read or changed before a point, the latest one last. If they take more than
 * `maxTokens`, the number of those left out stands first.
 */
function touchedFiles(messages: readonly Message[], from: Summary['from'], maxTokens: number): string[] {
  const paths = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    for (const [at, part] of message.parts.entries()) {
      if (part.type !== 'tool-call' || part.result === undefined) continue;
      if (!isBefore({ message: index, part: at }, messages, from)) continue;
      for (const { path } of part.result.files ?? []) {
        paths.delete(path);
        paths.add(path);
      }
    }
  }
  let left = maxTokens;
  const named = [...paths]
    .map(oneLine)
    .toReversed()
    .filter((path) => {
      left -= estimateTokens(path) + 1;
      return left >= 0;
    });
  const more = paths.size - named.length;
  return [...(more > 0 ? [`(${more} more)`] : []), ...named.reverse()];
}
