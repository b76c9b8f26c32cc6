import { FOOTNOTE } from './line-starts.ts';

/** A definition of a link or a footnote. `source`: the definition as it is written. */
export interface Reference {
  /** The label in the form in which labels are compared (see `normalized`). */
  label: string;
  source: string;
}

/** The definitions that the blocks of a text can refer to. */
export interface References {
  /** The source of each link's definition, by label. */
  definitions: ReadonlyMap<string, string>;
  /** The footnotes in the order in which they are defined, which gives their numbers. */
  footnotes: readonly Reference[];
}

/** Adds references to others. The first definition of a label counts. */
export function withReferences(first: References, more: References): References {
  const known = new Set(first.footnotes.map(({ label }) => label));
  return {
    definitions: new Map([...more.definitions, ...first.definitions]),
    footnotes: [
      ...first.footnotes,
      ...more.footnotes.filter(({ label }) => !known.has(label) && known.add(label) !== undefined),
    ],
  };
}

/** Matches a link's definition at the beginning of a paragraph. Bounded, and without nested quantifiers. */
const DEFINITION =
  / {0,3}\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*\n?[ \t]*(?:<(?:[^<>\n\\]|\\.)*>|[^\s<]\S*)(?:(?:[ \t]*\n[ \t]*|[ \t]+)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\((?:[^()\\\n]|\\.)*\)))?[ \t]*(?:\n|$)/y;

const LABEL = /\[((?:[^[\]\\]|\\.){1,999})\]/g;

/** A label in the form in which CommonMark compares labels. */
const normalized = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();

/** Returns the definitions of links, such as `[label]: address`, with which a paragraph begins. */
export function definitionsIn(source: string): Reference[] {
  if (!/^ {0,3}\[/.test(source)) return [];
  const found: Reference[] = [];
  const text = source.replaceAll('\r', '');
  DEFINITION.lastIndex = 0;
  for (let match = DEFINITION.exec(text); match !== null; match = DEFINITION.exec(text)) {
    const label = normalized(match[1] ?? '');
    if (label !== '') found.push({ label, source: match[0].trim() });
  }
  return found;
}

export const footnoteLabel = (source: string): string => normalized(FOOTNOTE.exec(source.trimStart())?.[1] ?? '');

/** A definition that nothing refers to. It keeps an indented source from continuing the footnote before it. */
const SEPARATOR = '[\u2060]: #';

/**
 * The definitions to which a source refers, as text to put before it; empty if there are none. The text of a footnote is
 * only its number: the footnotes themselves are shown at the end.
 */
export function referencesOf(source: string, { definitions, footnotes }: References): string {
  if (definitions.size + footnotes.length === 0 || !source.includes('[')) return '';
  const links = new Set<string>();
  const notes = new Set<string>();
  for (const [, label = ''] of source.matchAll(LABEL)) {
    if (label.startsWith('^')) notes.add(normalized(label.slice(1)));
    else links.add(normalized(label));
  }
  const numbers = footnotes.flatMap(({ label }, index) => (notes.has(label) ? [`[^${label}]: ${index + 1}`] : []));
  const urls = [...links].flatMap((label) => definitions.get(label) ?? []);
  if (numbers.length + urls.length === 0) return '';
  return [...numbers, SEPARATOR, ...urls, ''].join('\n\n');
}

/**
 * Returns the footnotes as one Markdown text that begins with a reference to each, because a parser leaves out footnotes
 * without a reference.
 */
export const footnotesText = (footnotes: readonly Reference[]): string =>
  [footnotes.map(({ label }) => `[^${label}]`).join(' '), ...footnotes.map(({ source }) => source)].join('\n\n');
