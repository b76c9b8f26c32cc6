import { parseDocument } from 'yaml';
import { complexKeyIn } from '#lib/base/yaml/complex-key.ts';

/** The number of characters of a file that are searched for its front matter: reading more could take long. */
const FRONT_MAX = 8_000;

/**
 * The front matter that was read, by its text, the most recently used last. Files of a workspace are read again with every
 * turn.
 */
const read = new Map<string, FrontMatter>();

/** The maximum number of entries in `read`: enough for all files of a workspace that may have front matter. */
const READ_MAX = 400;

interface FrontMatter {
  values: Readonly<Record<string, unknown>>;
  fault?: string;
}

/**
 * Reads the front matter of a Markdown file: the values at its beginning, between lines of `---`, and the text after them.
 * Without it, there are no values, and the whole text. `fault`: the reason why the values cannot be read, as a sentence.
 */
export function frontMatterOf(text: string): FrontMatter & { body: string } {
  const [whole, front] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text.slice(0, FRONT_MAX)) ?? [];
  if (whole === undefined || front === undefined) return { values: {}, body: text };
  const known = read.get(front) ?? readFront(front);
  read.delete(front);
  read.set(front, known);
  const [oldest] = read.keys();
  if (read.size > READ_MAX && oldest !== undefined) read.delete(oldest);
  return { ...known, body: text.slice(whole.length) };
}

function readFront(front: string): FrontMatter {
  const faulty = (reason: string, offset?: number) => {
    // The first line of the file is the one of `---`.
    const line = offset === undefined ? '' : `Line ${front.slice(0, offset).split('\n').length + 1}: `;
    return { values: {}, fault: `Its beginning is not valid YAML. ${line}${reason}.` };
  };
  try {
    // To make all errors readable takes long if there are many.
    const document = parseDocument(front, { uniqueKeys: false, prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) return faulty(error.message, error.pos[0]);
    if (complexKeyIn(document) !== undefined) return faulty('A key is not a text');
    const values: unknown = document.toJS({ maxAliasCount: 0 });
    return { values: typeof values === 'object' && values !== null ? { ...values } : {} };
  } catch (error) {
    return faulty(error instanceof Error ? error.message : 'It cannot be read');
  }
}
