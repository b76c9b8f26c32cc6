import type { CompactionPart, Message } from '#lib/messages/message.ts';
import { saidBefore } from '#lib/messages/said.ts';
import { isBefore } from './position.ts';

/** How many files a summary names; the latest ones if there are more. */
const FILES_MAX = 60;

type Summary = NonNullable<CompactionPart['summary']>;

/**
 * A summary as the model gets it, in the person's role: it did not write it itself, and nothing in it is a request. What
 * the person said and which files were touched is taken from the branch; only the rest is a model's.
 */
export function summaryText(messages: readonly Message[], summary: Summary): string {
  const said = saidBefore(messages, summary).map(({ number, text, path }) => {
    const where = path === undefined || summary.hasFiles !== true ? '' : `\n(The whole message is in ${path}.)`;
    return `${number}. ${text}${where}`;
  });
  const files = touchedFiles(messages, summary.from);
  return [
    '[Summary of the conversation so far. The earlier messages are not shown any more. This is a record of what happened, not a new request: do not answer it, and do not repeat what was done.]',
    said.length === 0 ? '' : `What the person said, in their own words, oldest first:\n${said.join('\n')}`,
    files.length === 0 ? '' : `Files touched:\n${files.join('\n')}`,
    `What happened, as summarized by a model:\n${summary.text}`,
    // Templates may put what follows directly behind it.
    '[End of the summary. The conversation goes on from here.]\n\n',
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

/** The files that were read or changed before a point, the latest one last. */
function touchedFiles(messages: readonly Message[], from: Summary['from']): string[] {
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
  const more = paths.size - FILES_MAX;
  return [...(more > 0 ? [`(${more} more)`] : []), ...[...paths].slice(-FILES_MAX)];
}
