import type { Message, ToolCallPart } from '#lib/messages/message.ts';
import { partName } from '#lib/messages/part-name.ts';
import { blockText, type ContentBlock } from '#lib/tools/core/content.ts';
import { markdownText } from './markdown-text.ts';

/** One match of a search in a message. */
export interface Match {
  messageId: string;
  /** The name of the part that contains the match, from `partName`. */
  part: string;
  /** The number of matches before this one in that part. */
  ordinal: number;
}

/** A searchable part of a message: its name, and its text as it reads when it is shown. */
interface SearchText {
  part: string;
  text: string;
}

/** The maximum number of matches that a search finds. More are of no use to anyone who goes through them. */
export const MATCHES_MAX = 10_000;

/** The number of characters of a query that count; the rest is ignored. */
const QUERY_MAX = 1_000;

/** The time for which a search blocks the page before it lets other work run, in milliseconds. */
export const BUSY_MAX_MS = 8;

/**
 * Returns a pattern that finds a query in any letter case, with any white space between its words; undefined for a blank
 * query.
 */
export function searchPattern(query: string): RegExp | undefined {
  const words = query.slice(0, QUERY_MAX).trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  return new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('\\s+'), 'giu');
}

const texts = new WeakMap<Message, readonly SearchText[]>();

/**
 * Returns the searchable texts of a message: text, code, reasoning, summaries, names of files, and the names, arguments and
 * results of calls.
 */
function searchTexts(message: Message): readonly SearchText[] {
  const known = texts.get(message);
  if (known !== undefined) return known;
  const found = message.parts.flatMap((part, index) => {
    const text = message.role === 'user' && part.type === 'text' ? part.text : readText(part);
    return text === '' ? [] : [{ part: partName(message.id, index, part), text }];
  });
  texts.set(message, found);
  return found;
}

/** Reads the text of a part; empty if it cannot be read, so that it is not searched. */
function readText(part: Message['parts'][number]): string {
  try {
    return textOf(part);
  } catch {
    return '';
  }
}

function textOf(part: Message['parts'][number]): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return markdownText(part.text);
    case 'compaction':
      return part.summary === undefined ? '' : markdownText(part.summary.text);
    case 'file':
      return typeof part.filename === 'string' ? part.filename : '';
    case 'tool-call':
      return textOfCall(part);
    default:
      return '';
  }
}

function textOfCall({ toolName, input, inputText, result }: ToolCallPart): string {
  const lines = [toolName, ...(input === undefined ? [inputText ?? ''] : leaves(input))];
  if (result?.type === 'tool-error') lines.push(result.message);
  const content = result?.type === 'tool-result' ? result.output.content : [];
  if (typeof content === 'string') lines.push(content);
  else for (const block of content) lines.push(textOfBlock(block));
  return lines.join('\n');
}

/** The text of a result's block, as it is shown; empty for an image. */
function textOfBlock(block: ContentBlock): string {
  if (block.type === 'json') return JSON.stringify(block.value, null, 2) ?? '';
  return block.type === 'image' ? '' : blockText(block);
}

/** The texts, numbers, and booleans inside a value, in order, as strings. */
function leaves(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  return value === undefined || value === null ? [] : [String(value)];
}

interface Found {
  query: string;
  matches: readonly Match[];
}

/** The last search of each message, so that only changed messages are searched again while an answer is written. */
const lastFound = new WeakMap<Message, Found>();

/**
 * Returns the matches of a query in a message, in order, at most `MATCHES_MAX`; none for a blank query. Searches texts,
 * reasoning, summaries, the names of files, and the names, arguments, and results of calls.
 */
export function matchesIn(message: Message, query: string): readonly Match[] {
  const pattern = searchPattern(query);
  if (pattern === undefined) return [];
  const known = lastFound.get(message);
  if (known?.query === query) return known.matches;
  const matches: Match[] = [];
  for (const { part, text } of searchTexts(message)) {
    let ordinal = 0;
    for (const _ of text.matchAll(pattern)) {
      if (matches.length === MATCHES_MAX) break;
      matches.push({ messageId: message.id, part, ordinal: ordinal++ });
    }
  }
  lastFound.set(message, { query, matches });
  return matches;
}

/**
 * Finds the matches of a query in a branch, in order, at most `MATCHES_MAX`; `matchesIn` says what is searched in each message.
 * Lets other work run in between, and then rejects if the signal has aborted.
 */
export async function findMatches(branch: readonly Message[], query: string, signal: AbortSignal): Promise<Match[]> {
  const found: Match[] = [];
  let since = performance.now();
  for (const message of branch) {
    for (const match of matchesIn(message, query)) {
      found.push(match);
      if (found.length === MATCHES_MAX) return found;
    }
    if (performance.now() - since < BUSY_MAX_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    since = performance.now();
  }
  return found;
}

/** A found line: the text before the match, the match, and the text after it. */
export interface FoundLine {
  before: string;
  match: string;
  after: string;
}

/** The most characters of a found line that are shown before the match. */
const BEFORE_MAX = 30;

/** The most characters of a match that are shown, and likewise of the found line after the match. */
const LINE_MAX = 160;

/** Finds the first match of a query in a message, and its line, shortened to be shown; undefined if there is none. */
export function firstFoundLine(message: Message, query: string): { match: Match; line: FoundLine } | undefined {
  const pattern = searchPattern(query);
  if (pattern === undefined) return undefined;
  for (const { part, text } of searchTexts(message)) {
    const found = pattern.exec(text);
    pattern.lastIndex = 0;
    if (found === null) continue;
    const end = found.index + found[0].length;
    const lineStart = text.lastIndexOf('\n', found.index - 1) + 1;
    const start = Math.max(lineStart, found.index - BEFORE_MAX);
    const lineEnd = text.indexOf('\n', end);
    const after = text.slice(end, Math.min(lineEnd === -1 ? text.length : lineEnd, end + LINE_MAX));
    return {
      match: { messageId: message.id, part, ordinal: 0 },
      line: {
        before: `${start > lineStart ? '…' : ''}${text.slice(start, found.index)}`,
        match: found[0].replace(/\s+/g, ' ').slice(0, LINE_MAX),
        after,
      },
    };
  }
  return undefined;
}
