import { parse } from 'yaml';

/** How much of a file is searched for its front matter, in characters: reading more could take long. */
const FRONT_MAX = 8_000;

/**
 * The values at the beginning of a Markdown file, between lines of `---`, and the text after them. `fault`: why they cannot
 * be read, as a sentence.
 */
export function frontMatterOf(text: string): {
  values: Readonly<Record<string, unknown>>;
  body: string;
  fault?: string;
} {
  const [whole, front] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text.slice(0, FRONT_MAX)) ?? [];
  if (whole === undefined || front === undefined) return { values: {}, body: text };
  const body = text.slice(whole.length);
  try {
    const values: unknown = parse(front, { maxAliasCount: 0, uniqueKeys: false });
    return { values: typeof values === 'object' && values !== null ? { ...values } : {}, body };
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n', 1) : [];
    return { values: {}, body, fault: `Its beginning is not valid YAML. ${reason.replace(/:$/, '.')}` };
  }
}
