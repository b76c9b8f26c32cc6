import type { Part } from './block.ts';
import { MARKDOWN_LIMITS } from './limits.ts';

const DATA_URL = /data:[^\s,()<>"'\]]{0,200},/g;
const DATA_URL_END = /[\s()<>"'\]]/g;

/** The number of characters that a shortened data URL keeps of its data. */
const DATA_KEPT = 20;

/** The source of a part with long data URLs shortened; undefined if parsing or rendering it could still take too long. */
export function simpleSource({ source, depth, prose, marks }: Part): string | undefined {
  const { blockMax, depthMax, marksMax, proseMax } = MARKDOWN_LIMITS;
  if (depth > depthMax || marks > marksMax) return undefined;
  const short = source.includes('data:') ? withShortDataUrls(source) : source;
  const isLong = short.length > blockMax || prose - (source.length - short.length) > proseMax;
  return isLong ? undefined : short;
}

/** Shortens long data URLs. Finds their ends one by one: a pattern for whole URLs runs out of memory on some megabytes. */
function withShortDataUrls(source: string): string {
  let short = '';
  let at = 0;
  for (const { 0: head, index } of source.matchAll(DATA_URL)) {
    if (index < at) continue;
    const data = index + head.length;
    DATA_URL_END.lastIndex = data;
    const end = DATA_URL_END.exec(source)?.index ?? source.length;
    if (end - data < DATA_KEPT + MARKDOWN_LIMITS.dataUrlMax) continue;
    short += `${source.slice(at, data + DATA_KEPT)}…`;
    at = end;
  }
  return short + source.slice(at);
}
