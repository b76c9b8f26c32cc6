import { parseDocument } from 'yaml';
import { complexKeyIn } from '#lib/yaml/complex-key.ts';

/** How much of a file is searched for its front matter, in characters: reading more could take long. */
const FRONT_MAX = 8_000;

/** The values at the beginning of a Markdown file, between lines of `---`, and the text after them. */
export function frontMatterOf(text: string): { values: Readonly<Record<string, unknown>>; body: string } {
  const [whole, front] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text.slice(0, FRONT_MAX)) ?? [];
  if (whole === undefined || front === undefined) return { values: {}, body: text };
  const body = text.slice(whole.length);
  try {
    // Nobody sees its errors, and to make them readable takes long if there are many.
    const document = parseDocument(front, { uniqueKeys: false, prettyErrors: false });
    if (document.errors.length > 0 || complexKeyIn(document) !== undefined) return { values: {}, body };
    const values: unknown = document.toJS({ maxAliasCount: 0 });
    return { values: typeof values === 'object' && values !== null ? { ...values } : {}, body };
  } catch {
    return { values: {}, body };
  }
}
