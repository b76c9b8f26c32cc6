/** The ways in which the cells of a column compare. */
type Kind = 'number' | 'date' | 'text';

/** A cell that can be compared with others of its column; undefined if it is empty, and then always last. */
type Key = number | string | undefined;

/** The way in which dates are written. `months`: the numbers of months by their names, from 0. */
interface Calendar {
  dayFirst: boolean;
  months: ReadonlyMap<string, number>;
}

/** The longest cell that is read as a number, in characters. */
const VALUE_MAX = 40;

/** Matches cells that stand for nothing. “Na” is an element. */
const NOTHING = /^(?:[-–—]*|[nN]\/[aA]|NA|\?)$/;

/** Matches a number with a sign, a currency, and a unit: `-$1,234.5`, `12 %`, `3 kB`. */
const NUMBER =
  /^([-+−]?)\s*(\p{Sc}?)\s*([-−]?)(\d[\d., '’\u00a0\u202f]*|[.,]\d+)(?:e([-+]?\d+))?\s*(%|‰|\p{Sc}|[\p{L}/]{1,10}[²³]?)?$/u;

/**
 * Returns the order of rows by one column, as their indexes: numbers and dates by their value if all cells are such, text as
 * the language sorts it, and empty cells last. Rows that are equal keep their order. `cells`: those of the column.
 */
export function orderOf(cells: readonly string[], direction: 'ascending' | 'descending', locale: string): number[] {
  const texts = cells.map((cell) => cell.trim());
  const keys = keysOf(texts, locale);
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const sign = direction === 'ascending' ? 1 : -1;
  return [...keys.keys()].sort((one, other) => {
    const [a, b] = [keys[one], keys[other]];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b)));
  });
}

function keysOf(texts: readonly string[], locale: string): Key[] {
  const filled = texts.filter((text) => !NOTHING.test(text));
  const calendar = { dayFirst: isDayFirst(filled, locale), months: monthsOf(locale) };
  const kind = kindOf(filled, calendar);
  return texts.map((text): Key => {
    if (NOTHING.test(text)) return undefined;
    if (kind === 'number') return numberOf(text)?.value;
    return kind === 'date' ? dateOf(text, calendar) : text;
  });
}

function kindOf(texts: readonly string[], calendar: Calendar): Kind {
  if (areVersions(texts)) return 'text';
  const numbers = texts.map(numberOf);
  // Numbers with several units, such as kB and MB, cannot be compared.
  const units = new Set(numbers.map((number) => number?.unit));
  if (units.size <= 1 && !units.has(undefined)) return 'number';
  return texts.every((text) => dateOf(text, calendar) !== undefined) ? 'date' : 'text';
}

/** Checks whether numbers are those of versions: 3.10 comes after 3.9. Decimals that end with 0 all have the same length. */
function areVersions(texts: readonly string[]): boolean {
  const decimals = texts.map((text) => /^\d+\.(\d+)$/.exec(text)?.[1]);
  if (decimals.some((digits) => digits === undefined)) return false;
  const lengths = new Set(decimals.map((digits) => digits?.length));
  return (
    lengths.size > 1 && decimals.some((digits) => digits !== undefined && digits.length > 1 && digits.endsWith('0'))
  );
}

/** The factors of letters behind numbers: thousands, millions, billions, and trillions. */
const FACTORS: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['K', 1e3],
  ['M', 1e6],
  ['B', 1e9],
  ['T', 1e12],
]);

/** The value of a cell with a number, and its unit: empty for plain numbers, percents, and money. */
function numberOf(text: string): { value: number; unit: string } | undefined {
  const [, sign, , inner, digits, exponent = '0', unit = ''] =
    (text.length > VALUE_MAX ? null : NUMBER.exec(text)) ?? [];
  if (digits === undefined) return undefined;
  const plain = withPoint(digits.replace(/[ '’\u00a0\u202f]/g, ''));
  if (plain === undefined) return undefined;
  const isNegative = /[-−]/.test(`${sign}${inner}`);
  const factor = FACTORS.get(unit);
  const value = Number(`${plain}e${exponent}`) * (factor ?? 1);
  if (factor !== undefined) return { value: isNegative ? -value : value, unit: '' };
  return { value: isNegative ? -value : value, unit: /^(?:[%‰]|\p{Sc}|[A-Z]{3})$/u.test(unit) ? '' : unit };
}

/** Digits without separators of thousands, and with a point before the decimals; undefined if they are no number. */
function withPoint(digits: string): string | undefined {
  if (/^\d+$/.test(digits)) return digits;
  // A single comma or point before three digits separates thousands if it is a comma: 1,234 but 1.234.
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(digits)) return digits.replaceAll(',', '');
  if (/^\d{1,3}(?:\.\d{3})+,\d*$|^\d{1,3}(?:\.\d{3}){2,}$/.test(digits))
    return digits.replaceAll('.', '').replace(',', '.');
  return /^\d*[.,]\d*$/.test(digits) ? digits.replace(',', '.') : undefined;
}

/** Matches dates in numbers: `2024-05-01`, `2024/5/1`, `2024年5月1日`, and a time. */
const YEAR_FIRST = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?Z?)?$/;
/** Matches dates in numbers that end with the year: `1.5.2024`, `5/1/2024`. */
const YEAR_LAST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;
/** Matches dates with the name of a month: `1 May 2024`, `1. Mai 2024`, `May 1, 2024`, `May 2024`. */
const NAMED_MONTH = /^(?:(\d{1,2})\.?\s+)?(\p{L}{3,10})\.?\s+(?:(\d{1,2}),?\s+)?(\d{4})$/u;

/** The numbers of months, from 0, by their names and short names in English and in the language, in lower case. */
function monthsOf(locale: string): ReadonlyMap<string, number> {
  const names = ['en', locale].flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { month, day: 'numeric' });
      return Array.from({ length: 12 }, (_, index): [string, number] => {
        const parts = format.formatToParts(new Date(2024, index, 1));
        return [(parts.find(({ type }) => type === 'month')?.value ?? '').replace('.', '').toLowerCase(), index];
      });
    }),
  );
  return new Map([...names, ['sept', 8]]);
}

/** Milliseconds since the epoch; undefined if a cell has no date. */
function dateOf(text: string, { dayFirst, months }: Calendar): number | undefined {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined)
    return (
      Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)) + Number(second) * 1_000
    );
  const [, first, separator, then, last] = YEAR_LAST.exec(text) ?? [];
  if (last !== undefined) {
    const [d, m] = dayFirst || separator === '.' ? [first, then] : [then, first];
    return Number(m) > 12 ? undefined : Date.UTC(Number(last), Number(m) - 1, Number(d));
  }
  const [, before, name = '', after, namedYear] = NAMED_MONTH.exec(text) ?? [];
  const namedMonth = months.get(name.toLowerCase());
  return namedMonth === undefined ? undefined : Date.UTC(Number(namedYear), namedMonth, Number(before ?? after ?? 1));
}

/** Checks whether the dates of a column begin with the day: one has a first number that is no month, or the language says so. */
function isDayFirst(texts: readonly string[], locale: string): boolean {
  const parts = texts.map((text) => YEAR_LAST.exec(text));
  if (parts.some((part) => Number(part?.[1]) > 12)) return true;
  if (parts.some((part) => Number(part?.[3]) > 12)) return false;
  return /^\d*3/.test(
    new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).format(new Date(2024, 4, 3)).replace(/^0/, ''),
  );
}
