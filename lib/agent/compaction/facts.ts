/**
 * A fact: the key and the value of a line `key = value` in a message or a summary, as they are written there. Summaries must
 * keep the facts of the messages that they replace.
 */
export interface Fact {
  key: string;
  value: string;
}

/** The maximum number of facts (lines `key = value`) that a summary keeps. If there are more, the newest ones are kept. */
export const FACTS_MAX = 200;

/**
 * The number of facts above which a text counts as data, such as a configuration file. Its facts are not kept, because it can
 * be read again.
 */
const LISTED_MAX = 40;

/** The length, in characters, above which a line is not searched for a fact. */
const LINE_MAX = 300;

const LINE = /^\s*(?:[-*•]\s+|\d+[.)]\s+)?[`*_]*([\p{L}_][\p{L}\p{N}_ ./-]{0,59}?)[`*_]*\s*=\s*(\S.{0,199}?)\s*$/u;

/** Matches a key that shows that its line is code. */
const CODE_KEY =
  /^(?:const|let|var|return|import|export|if|for|while|def|class|self|this|type|interface|static|final)\b/;
/** Matches a value that shows that its line is code. */
const CODE_VALUE = /^=|[;{(,]$/;

/** Matches the names of secrets, which must not be written down once more. */
const SECRET_KEY =
  /(?:^|[ ._/-])(?:api[ _-]?key|access[ _-]?key|private[ _-]?key|token|secret|pass(?:word|phrase)?|pwd|credentials?)s?$/i;

/**
 * Returns the facts of a text, which are its lines `key = value`, in order, except for lines in code blocks or that look
 * like code.
 */
export function factsIn(text: string): Fact[] {
  const facts: Fact[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || line.trim().startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      continue;
    }
    if (fence !== undefined || line.length > LINE_MAX) continue;
    const [, key = '', value = ''] = LINE.exec(line) ?? [];
    if (key === '' || CODE_KEY.test(key) || CODE_VALUE.test(value)) continue;
    facts.push({ key: key.trim(), value });
  }
  return facts;
}

/**
 * Returns the facts (lines `key = value`) of a summary and of the texts after it: the latest one of each key, and no more
 * than the newest `FACTS_MAX`. Leaves out secrets, the facts of texts that list so many that they count as data
 * (`LISTED_MAX`), and facts that could not be read back from a summary.
 */
export function latestFacts(summary: string, texts: readonly string[]): Fact[] {
  const byKey = new Map<string, Fact>();
  const ofTexts = texts.map(factsIn).filter((facts) => facts.length <= LISTED_MAX);
  for (const fact of [...factsIn(summary), ...ofTexts.flat()]) {
    const isSecret = SECRET_KEY.test(fact.key) && !/^[\d.,_ ]+$/.test(fact.value);
    if (isSecret || missingFacts(formatFact(fact), [fact]).length > 0) continue;
    byKey.delete(nameOf(fact));
    byKey.set(nameOf(fact), fact);
  }
  return [...byKey.values()].slice(-FACTS_MAX);
}

/**
 * Returns those of `facts` that a summary does not list with the same key and value. The case of keys, and quotation marks
 * or emphasis around values, make no difference.
 */
export function missingFacts(summary: string, facts: readonly Fact[]): Fact[] {
  const listed = new Map<string, Set<string>>();
  for (const fact of factsIn(summary)) {
    const values = listed.get(nameOf(fact)) ?? new Set();
    listed.set(nameOf(fact), values.add(bare(fact.value)));
  }
  return facts.filter((fact) => listed.get(nameOf(fact))?.has(bare(fact.value)) !== true);
}

/** Writes a fact as the line of a summary that lists it: `- key = value`. */
export const formatFact = ({ key, value }: Fact): string => `- ${key} = ${value}`;

const nameOf = ({ key }: Fact): string => key.toLowerCase().replace(/\s+/g, ' ');

/** Removes a full stop at the end of a value, and quotation marks or emphasis around it. */
function bare(value: string): string {
  const text = value.replace(/(?<=[^.])\.$/, '').trim();
  return /^(`|"|'|\*\*)(.+)\1$/.exec(text)?.[2] ?? text;
}
