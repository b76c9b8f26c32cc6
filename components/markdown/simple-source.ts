import type { Part } from './block.ts';
import { MARKDOWN_LIMITS } from './limits.ts';

const DATA_URL = new RegExp(
  String.raw`(data:[^\s,()<>"'\]]{0,200},[^\s()<>"'\]]{20})[^\s()<>"'\]]{${MARKDOWN_LIMITS.dataUrlMax},}`,
  'g',
);

/** The source to be parsed, with long data URLs shortened; undefined if parsing or rendering it could take too long. */
export function simpleSource({ source, depth, prose, marks }: Part): string | undefined {
  const { blockMax, depthMax, marksMax, proseMax } = MARKDOWN_LIMITS;
  if (depth > depthMax || marks > marksMax) return undefined;
  const short = source.includes('data:') ? source.replace(DATA_URL, '$1…') : source;
  const isLong = short.length > blockMax || prose - (source.length - short.length) > proseMax;
  return isLong ? undefined : short;
}
