/** The ways in which code of an answer runs: in the thread's sandbox, or as a page in the preview. */
export type RunKind = 'javascript' | 'typescript' | 'page';

const KINDS = new Map<string, RunKind>([
  ...['js', 'javascript', 'mjs', 'cjs'].map((name) => [name, 'javascript'] as const),
  ...['ts', 'typescript', 'mts', 'cts'].map((name) => [name, 'typescript'] as const),
  ...['html', 'htm', 'svg', 'jsx', 'tsx'].map((name) => [name, 'page'] as const),
]);

/** Matches an import or an export at the beginning of a line: only a page has modules. */
const MODULE = /^(?:import\b(?!\s*\()|export\b)/m;

/**
 * Returns the way in which code of an answer runs, by `language`, the name after the code block's opening fence. Undefined if
 * the studio cannot run that language, or none is named: it is never guessed. `code` decides only whether a script is a page,
 * because it has imports or exports, and whether XML is an SVG image.
 */
export function runKind(language: string | undefined, code: string): RunKind | undefined {
  const name = language?.toLowerCase() ?? '';
  if (name === 'xml') return /^\s*(?:<\?xml[^>]*>\s*)?<svg\b/.test(code) ? 'page' : undefined;
  const kind = KINDS.get(name);
  return kind !== undefined && MODULE.test(code) ? 'page' : kind;
}
