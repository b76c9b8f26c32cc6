import {
  type CallForm,
  type FormAnswer,
  type FormFault,
  type FormField,
  type FormValue,
  formFault,
  initialValues,
  typedNumber,
} from '#lib/tools/core/call-form.ts';
import type { Lines } from './lines.ts';
import { escapeInvisible, inOneLine, type Output, shownName, styled } from './terminal.ts';

interface Place {
  reader: Pick<Lines, 'question'>;
  output: Output;
}

/**
 * Asks the person what a tool server wants to know while a call runs: whether they want to answer, then one field after the
 * other, and at last whether that is what they want to send. The end of the input counts as “cancel”. Rejects with the
 * signal's reason if it fires.
 */
export async function askForm(place: Place, form: CallForm, abortSignal: AbortSignal): Promise<FormAnswer> {
  const { output } = place;
  const server = escapeInvisible(form.from);
  output.write(`${styled(output, 'yellow', '?')} ${styled(output, 'bold', `The server ${server} asks:`)}\n`);
  quote(output, form.message);
  output.write(
    `${styled(output, 'dim', `What you enter goes to ${server}. Never enter passwords, keys, or other secrets.`)}\n`,
  );
  const first = form.fields.length === 0 ? '[y] Accept' : '[y] Answer';
  const said = await choose(place, `${first} · [n] Decline · [c] Cancel`, abortSignal);
  if (said !== 'y') return { action: said === 'n' ? 'decline' : 'cancel' };
  let content: Record<string, FormValue> = initialValues(form);
  for (;;) {
    const filled = await fillIn(place, form.fields, content, abortSignal);
    if (filled === undefined) return { action: 'cancel' };
    content = filled;
    if (form.fields.length === 0) return { action: 'accept', content };
    output.write(`${styled(output, 'bold', `This goes to ${server}:`)}\n`);
    for (const field of form.fields)
      quote(output, `${field.label}: ${wordsOf(field, content[field.name]) ?? '(nothing)'}`);
    const end = await choose(place, '[y] Send · [e] Change · [n] Decline · [c] Cancel', abortSignal);
    if (end === 'y') return { action: 'accept', content };
    if (end !== 'e') return { action: end === 'n' ? 'decline' : 'cancel' };
  }
}

/** Asks until the answer is one of the letters in brackets in `choices`. Returns that letter; `c` if the input ends. */
async function choose({ reader, output }: Place, choices: string, signal: AbortSignal): Promise<string> {
  const letters = [...choices.matchAll(/\[(.)\]/g)].map(([, letter]) => letter);
  output.write(`${styled(output, 'dim', choices)}\n`);
  for (;;) {
    const answer = await reader.question('> ', { signal });
    if (answer === undefined) return 'c';
    const letter = answer.trim().toLowerCase();
    if (letters.includes(letter)) return letter;
    output.write('Answer with one of the letters.\n');
  }
}

/**
 * Asks for each field until its value fits. Resolves with the values by field name, or with undefined if the input ends.
 * `before`: the values that Enter keeps, by field name.
 */
async function fillIn(
  { reader, output }: Place,
  fields: readonly FormField[],
  before: Readonly<Record<string, FormValue>>,
  signal: AbortSignal,
): Promise<Record<string, FormValue> | undefined> {
  const values: [string, FormValue][] = [];
  for (const field of fields) {
    // A field can have the name of a method, which must not count as its value.
    const known = Object.hasOwn(before, field.name) ? before[field.name] : undefined;
    introduce(output, field, known);
    for (;;) {
      const line = await reader.question(`${inOneLine(escapeInvisible(field.label), LABEL_COLUMNS)}: `, { signal });
      if (line === undefined) return undefined;
      const value = meantBy(field, line.replaceAll('\n', ' ').trim(), known);
      const fault = formFault(field, value);
      if (fault !== undefined) {
        output.write(`${styled(output, 'red', faultText(fault))}\n`);
        continue;
      }
      if (value !== undefined) values.push([field.name, value]);
      break;
    }
  }
  return Object.fromEntries(values);
}

/** The maximum width of a field's label before the input, in columns; the whole label stands above. */
const LABEL_COLUMNS = 40;

/** The input that empties a field that already has a value. */
const NOTHING = '-';

/** Shows what a field is about, what it takes, and what Enter does. */
function introduce(output: Output, field: FormField, known: FormValue | undefined): void {
  const { kind, isRequired, label, description } = field;
  output.write(`${styled(output, 'bold', named(label))}${isRequired ? '' : ' (optional)'}\n`);
  if (description !== undefined) quote(output, description);
  if ('choices' in kind)
    for (const [index, { title }] of kind.choices.entries()) quote(output, `${index + 1} ${title}`);
  const how = {
    text: '',
    number: 'A number.',
    boolean: 'y or n.',
    choice: 'The number of one.',
    choices: 'The numbers of those that you choose, such as 1, 3.',
  }[kind.type];
  const now = kind.type === 'boolean' ? (known ?? false) : known;
  const kept =
    now === undefined
      ? isRequired
        ? ''
        : 'Enter leaves it empty.'
      : `Enter takes “${named(wordsOf(field, now) ?? '')}”.${isRequired || kind.type === 'boolean' ? '' : ` ${NOTHING} leaves it empty.`}`;
  const help = [how, kept].filter((text) => text !== '').join(' ');
  if (help !== '') output.write(`${styled(output, 'dim', help)}\n`);
}

/**
 * Reads a typed line as a value of a field; undefined for no value. An empty line keeps `known`. A line that cannot be read
 * gives a value of the wrong kind, which `formFault` then refuses.
 */
function meantBy({ kind, isRequired }: FormField, line: string, known: FormValue | undefined): FormValue | undefined {
  if (line === '') return kind.type === 'boolean' ? (known ?? false) : known;
  if (line === NOTHING && !isRequired && known !== undefined && kind.type !== 'boolean') return undefined;
  switch (kind.type) {
    case 'text':
      return line;
    case 'number':
      return typedNumber(line);
    case 'boolean':
      return /^y(es)?$/i.test(line) ? true : /^no?$/i.test(line) ? false : line;
    case 'choice':
      return kind.choices[placeIn(line)]?.value ?? UNKNOWN;
    case 'choices':
      return line
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((word) => kind.choices[placeIn(word)]?.value ?? UNKNOWN);
  }
}

/** Stands for a choice that does not exist. No server can offer this value. */
const UNKNOWN = '\u0000';

/** Converts a typed number to an index, counted from 0; NaN if the word is not a number. */
const placeIn = (word: string): number => (/^\d+$/.test(word) ? Number(word) - 1 : Number.NaN);

/** The text of a value for people: `yes` or `no`, or titles of choices; undefined if there is no value. */
function wordsOf({ kind }: FormField, value: FormValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!('choices' in kind)) return String(value);
  const chosen = [value].flat();
  return chosen.map((one) => kind.choices.find((choice) => choice.value === one)?.title ?? String(one)).join(', ');
}

/** A name from a server in one line, so that it cannot pass for a line of the program. */
const named = (text: string): string => shownName(escapeInvisible(text));

/** Writes what a server says, marked so that it is told from what the program says. */
function quote(output: Output, text: string): void {
  for (const line of escapeInvisible(text).split('\n')) output.write(`${styled(output, 'dim', '│')} ${line}\n`);
}

/** Tells the person what to enter in place of a value with a fault. */
function faultText(fault: FormFault): string {
  switch (fault.code) {
    case 'missing':
      return 'Enter something that fits.';
    case 'not-number':
      return 'Enter a number.';
    case 'not-integer':
      return 'Enter a whole number.';
    case 'not-choice':
      return 'Enter numbers from the list, each once.';
    case 'email':
      return 'Enter an email address.';
    case 'uri':
      return 'Enter an address such as https://example.com.';
    case 'date':
      return 'Enter a date such as 2026-12-31.';
    case 'date-time':
      return 'Enter a date with time and time zone, such as 2026-12-31T18:00:00Z.';
    case 'too-short':
      return `Enter at least ${fault.limit} characters.`;
    case 'too-long':
      return `Enter at most ${fault.limit} characters.`;
    case 'too-small':
      return `Enter ${fault.limit} or more.`;
    case 'too-large':
      return `Enter ${fault.limit} or less.`;
    case 'too-few':
      return `Choose at least ${fault.limit}.`;
    case 'too-many':
      return `Choose at most ${fault.limit}.`;
  }
}
