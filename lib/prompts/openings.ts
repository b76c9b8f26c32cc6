import { type CallGrammar, FORMS, type Form, type Where } from './forms.ts';

/** A form that may begin with a character. */
interface PossibleForm {
  readonly form: Form;
  /** Checks whether the form may begin at an index of a text. More of the text may arrive later. */
  fits(text: string, at: number): boolean;
}

/** A character with which forms begin in a reply, such as calls or reasoning (see `Form`). */
export interface Opening {
  readonly character: string;
  /** The forms that may begin with the character, in the order in which they are tried. */
  readonly forms: readonly PossibleForm[];
  /** The positions at which any of the forms counts. */
  readonly where: readonly Where[];
  /** Whether a call may begin with the character anywhere in a line. */
  readonly beginsCallsAnywhere: boolean;
  /**
   * Whether calls may begin with the character anywhere, or at the beginning of a word. Such brackets and letters are frequent
   * in text, so the character behind is checked even at the beginning of a line, before a form is tried.
   */
  readonly needsLookahead: boolean;
  /** The grammars of the calls that may begin with the character where they are only quoted. */
  readonly quotedCalls: readonly CallGrammar[];
  /** The grammars of the calls that may begin with the character in a text that the model did not write. */
  readonly foreignCalls: readonly CallGrammar[];
  /** Checks whether any form may go on with `next` as its second character; '' stands for one that has not arrived. */
  isPromising(next: string): boolean;
}

/** Positions that are not in the text of a reply, or at which calls are not made. */
const APART: ReadonlySet<Where> = new Set<Where>(['fence', 'tool_code', 'quotation', 'foreign text']);

const isInReply = (where: Where): boolean => !APART.has(where);
const isQuoted = (where: Where): boolean => where === 'quotation' || isInReply(where);
const isForeign = (where: Where): boolean => where === 'foreign text' || isQuoted(where);

const REPLY_FORMS = FORMS.filter(({ where }) => where.some(isInReply));

const isCallGrammar = (read: Form['read']): read is CallGrammar => typeof read === 'function';
const isLiteral = (marker: string | RegExp): marker is string => typeof marker === 'string';

const formsFrom = (character: string, isPosition: (where: Where) => boolean): Form[] =>
  FORMS.filter(({ opener, where }) => where.some(isPosition) && opener.some((text) => text.charAt(0) === character));

const callsFrom = (character: string, isPosition: (where: Where) => boolean): CallGrammar[] =>
  formsFrom(character, isPosition)
    .map(({ read }) => read)
    .filter(isCallGrammar);

/** A marker, and what may follow it if it is a single character. */
type Marker = Pick<Form, 'next'> & { text: string };

const openersOf = ({ opener, next }: Form): Marker[] => opener.map((text) => ({ text, next }));
const cutsOf = ({ cut = [] }: Form): Marker[] => cut.filter(isLiteral).map((text) => ({ text }));

/**
 * Returns a function that checks whether a character may stand directly behind `first` where one of these markers begins; ''
 * stands for a character that has not arrived, and always may.
 */
function testOfNext(first: string, markers: readonly Marker[]): (next: string) => boolean {
  const own = markers.filter(({ text }) => text.startsWith(first));
  const test = (character: string): boolean =>
    character === '' ||
    own.some(({ text, next }) => (text === first ? next?.test(character) !== false : text.charAt(1) === character));
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => Number(test(String.fromCharCode(code))));
  return (character) => {
    const known = ascii[character.charCodeAt(0)];
    return known === undefined ? test(character) : known === 1;
  };
}

/**
 * Returns a function that checks whether any of these markers may begin at an index of a text, where the character `first`
 * stands. More of the text may arrive later.
 */
function testOf(first: string, markers: readonly Marker[]): PossibleForm['fits'] {
  const own = markers.map(({ text }) => text).filter((marker) => marker.startsWith(first));
  if (own.some((marker) => marker.length <= 2)) {
    const mayGoOn = testOfNext(first, markers);
    return (text, at) => mayGoOn(text.charAt(at + 1));
  }
  const bySecond = Map.groupBy(own, (marker) => marker.charAt(1));
  return (text, at) =>
    text.length <= at + 1 ||
    (bySecond.get(text.charAt(at + 1)) ?? []).some(
      (marker) =>
        text.startsWith(marker, at) || (text.length - at < marker.length && marker.startsWith(text.slice(at))),
    );
}

function openingOf(character: string): Opening {
  const forms = formsFrom(character, isInReply);
  const where = new Set(forms.flatMap((form) => form.where.filter(isInReply)));
  const beginsCalls = (position: Where): boolean =>
    forms.some((form) => isCallGrammar(form.read) && form.where.includes(position));
  return {
    character,
    forms: forms.map((form) => ({ form, fits: testOf(character, openersOf(form)) })),
    where: where.has('anywhere') ? ['anywhere'] : [...where],
    beginsCallsAnywhere: beginsCalls('anywhere'),
    needsLookahead: beginsCalls('anywhere') || beginsCalls('word'),
    quotedCalls: callsFrom(character, isQuoted),
    foreignCalls: callsFrom(character, isForeign),
    isPromising: testOfNext(character, [...forms.flatMap(openersOf), ...REPLY_FORMS.flatMap(cutsOf)]),
  };
}

const FIRST_CHARACTERS = new Set(REPLY_FORMS.flatMap(({ opener }) => opener.map((text) => text.charAt(0))));

/** All characters with which forms, such as calls or reasoning, begin in a reply. */
export const OPENINGS: readonly Opening[] = Array.from(FIRST_CHARACTERS, openingOf);

/** By UTF-16 code unit: the place of its opening in `OPENINGS`, counted from 1; 0 for nearly all characters. */
const NUMBERS = new Uint8Array(0x10000);
for (const [index, { character }] of OPENINGS.entries()) NUMBERS[character.charCodeAt(0)] = index + 1;

/** Returns the `Opening` whose character has this UTF-16 code unit; undefined if no form begins with that character. */
export function openingAt(code: number): Opening | undefined {
  const number = NUMBERS[code];
  return number === undefined || number === 0 ? undefined : OPENINGS[number - 1];
}

const FENCED_FORMS = FORMS.flatMap(({ opener, where, read }) => {
  const isOfToolCode = where.includes('tool_code');
  return isCallGrammar(read) && (isOfToolCode || where.includes('fence')) ? [{ opener, isOfToolCode, read }] : [];
});

/**
 * Returns the grammar that reads a call that begins with `character` in a code fence of this language; undefined if none
 * does.
 */
export const fencedCall = (character: string, language: string): CallGrammar | undefined =>
  FENCED_FORMS.find(({ opener, isOfToolCode }) =>
    isOfToolCode ? language === 'tool_code' : opener.includes(character),
  )?.read;

/** A reply may end in the middle of a marker, such as `<tool_c`. From this many characters on, that beginning is not shown. */
const CUT_MIN = 5;

const CUTS = REPLY_FORMS.flatMap(({ cut = [], where }) =>
  cut.map((marker) => ({ marker, maySpeak: !where.includes('not between words') })),
);

/**
 * Checks whether `rest`, the last characters of a reply, can only be a marker that was cut off, such as `<tool_c`. If
 * `isBehindCall`, the beginning of any tag counts, because it belongs to the call. If `isBetweenWords`, markers that are only
 * mentioned there do not count.
 */
export const isCutOff = (rest: string, isBehindCall: boolean, isBetweenWords: boolean): boolean =>
  (isBehindCall && /^<[^>\n]{0,400}$/.test(rest)) ||
  (rest.length >= CUT_MIN &&
    CUTS.some(
      ({ marker, maySpeak }) =>
        (maySpeak || !isBetweenWords) && (isLiteral(marker) ? marker.startsWith(rest) : marker.test(rest)),
    ));
