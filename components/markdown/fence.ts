import { fenceStart, isFenceEnd } from './line-starts.ts';

interface FencedCode {
  code: string;
  /** The first word after the opening fence; undefined if there is none. */
  language: string | undefined;
}

/** The code and language of a fenced block, with or without a closing fence. */
export function fencedCode(source: string): FencedCode {
  const firstEnd = source.search(/[\r\n]|$/);
  const first = source.slice(0, firstEnd);
  const indent = first.search(/[^ ]/);
  const fence = fenceStart(first.trimStart());
  const info = first.trim().slice(fence?.length);
  const language = /^\S+/.exec(info.trimStart())?.[0];
  const body = source.slice(firstEnd).replace(/\r\n?/g, '\n').replace(/^\n/, '');
  return { code: withoutEnd(unindented(body, indent), fence), language };
}

const TAB_STOP = 4;

/** Removes up to `indent` columns, the fence's own indentation, from each line. A tab counts as the spaces it stands for. */
function unindented(body: string, indent: number): string {
  if (indent <= 0) return body;
  return body.replace(new RegExp(`^(?: {0,${indent - 1}}\\t| {1,${indent}})`, 'gm'), (space) =>
    space.endsWith('\t') ? ' '.repeat(TAB_STOP - indent) : '',
  );
}

function withoutEnd(body: string, fence: ReturnType<typeof fenceStart>): string {
  const trimmed = body.trimEnd();
  const lastLine = trimmed.lastIndexOf('\n') + 1;
  const isEnded = fence !== undefined && isFenceEnd(trimmed.slice(lastLine).trimStart(), fence);
  return isEnded ? body.slice(0, Math.max(0, lastLine - 1)) : body.replace(/\n$/, '');
}
