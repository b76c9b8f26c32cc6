/**
 * The kind of value that a cell's number format shows. `date`: a date, with or without a time. `elapsed`: a duration, whose
 * hours go on after 24.
 */
export type NumberKind = 'number' | 'date' | 'time' | 'elapsed';

/** The numbers of Excel's own formats that show a date or a time. */
const DATES: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 57, 58,
]);
const TIMES: ReadonlySet<number> = new Set([18, 19, 20, 21, 32, 33, 45, 47, 55, 56]);
const ELAPSED = 46;

const DAY_MS = 86_400_000;

/** The day before the first one, in milliseconds since 1970: in the system of 1900, which counts a February 29, 1900. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** The last day that Excel knows. */
const LAST_DAY = 2_958_465;

/**
 * Returns the kind of value that a number format of Excel shows. `code`: its text, such as `yyyy-mm-dd`, if the workbook has
 * it; undefined for one of Excel's own formats, which `id` identifies.
 */
export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined)
    return DATES.has(id) ? 'date' : TIMES.has(id) ? 'time' : id === ELAPSED ? 'elapsed' : 'number';
  // Letters in quotes, after a backslash, or in brackets are shown as they are, except elapsed times such as [h].
  const bare = code.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  const [positive = ''] = bare.split(';');
  // Digits belong to numbers, except those of parts of a second.
  const isNumber = /[0#?]/.test(positive.replace(/(s+\]?)[.,]0+/gi, '$1')) || /general/i.test(bare);
  if (isNumber || !/[dmyhs]/i.test(positive)) return 'number';
  if (/\[[hms]+\]/i.test(positive)) return 'elapsed';
  return /[dy]/i.test(positive) || !/[hs]/i.test(positive) ? 'date' : 'time';
}

/**
 * Returns the number of a cell, as the file has it, rounded to 15 digits, which removes the errors of binary fractions, such as
 * the end of `0.30000000000000004`. Integers keep all their digits; text that is not a number stays as it is.
 */
export function plainNumber(written: string): string {
  const value = Number(written);
  return /^-?\d+$/.test(written) || !Number.isFinite(value) ? written : String(Number(value.toPrecision(15)));
}

/**
 * Converts a date of a workbook to ISO 8601. `written`: the number of days; without whole days, the result is a time; without a
 * part of a day, a date; otherwise both. `kind`: for `elapsed`, the result has the form `36:00:00`. A number that is out of
 * range stays a number. `is1904`: whether days are counted from 1904, not from 1900; day 0 is then a date, too, unless `kind`
 * is `time`.
 */
export function isoDate(written: string, kind: Exclude<NumberKind, 'number'>, is1904: boolean): string {
  const serial = Number(written);
  const seconds = Math.round(serial * 86_400);
  const days = Math.floor(seconds / 86_400);
  if (serial < 0 || days > LAST_DAY) return plainNumber(written);
  const time = new Date((seconds - days * 86_400) * 1_000).toISOString().slice(11, 19);
  if (kind === 'elapsed') return `${Math.floor(seconds / 3_600)}${time.slice(2)}`.padStart(8, '0');
  if (days === 0 && (!is1904 || kind === 'time')) return time;
  // The system of 1900 has a day that never was: earlier ones are one day later.
  const shift = !is1904 && days < 60 ? 1 : 0;
  const date = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + (days + shift) * DAY_MS).toISOString().slice(0, 10);
  return time === '00:00:00' ? date : `${date}T${time}`;
}
