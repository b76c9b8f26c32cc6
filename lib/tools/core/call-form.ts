/** A value that a person can enter in a field of a `CallForm`. */
export type FormValue = string | number | boolean | string[];

/** A value that can be chosen in a field of a `CallForm`, and the title that people see for it. */
export interface FormChoice {
  value: string;
  title: string;
}

/**
 * The kind of values that a field of a `CallForm` takes: a text, a number, a boolean, or choices. `min` and `max` limit a
 * text's characters, a number, or the number of `choices`.
 */
export type FieldKind =
  | { type: 'text'; format?: 'email' | 'uri' | 'date' | 'date-time'; min?: number; max: number }
  | { type: 'number'; isInteger: boolean; min?: number; max?: number }
  | { type: 'boolean' }
  | { type: 'choice'; choices: readonly FormChoice[] }
  | { type: 'choices'; choices: readonly FormChoice[]; min?: number; max?: number };

/** A field of a `CallForm`. All texts come from the tool or its server, and may contain anything. */
export interface FormField {
  name: string;
  label: string;
  description?: string;
  isRequired: boolean;
  kind: FieldKind;
  /** The value with which the form opens; fits `kind`. If absent, the field is empty. */
  initial?: FormValue;
}

/** A form with which a tool asks the person something while a call runs. Plain data. */
export interface CallForm {
  /** The name of the tool server, or whatever else asks. */
  from: string;
  message: string;
  fields: readonly FormField[];
}

/**
 * The person's answer to a `CallForm`: `accept`, with the values by field name, or `decline`. `cancel`: they closed the form
 * without an answer, or it cannot be shown here.
 */
export type FormAnswer = { action: 'accept'; content: Record<string, FormValue> } | { action: 'decline' | 'cancel' };

/**
 * The problem with the value of a field of a `CallForm`, as a code. `email`, `uri`, `date`, `date-time`: the text does not have
 * that format. `limit`: the least or greatest number, length or count that is allowed.
 */
export type FormFault =
  | { code: 'missing' | 'not-number' | 'not-integer' | 'not-choice' | 'email' | 'uri' | 'date' | 'date-time' }
  | { code: 'too-short' | 'too-long' | 'too-small' | 'too-large' | 'too-few' | 'too-many'; limit: number };

/** Returns the initial values of a form, by field name. A field without an initial value has no entry. */
export const initialValues = ({ fields }: Pick<CallForm, 'fields'>): Record<string, FormValue> =>
  Object.fromEntries(fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])));

/** Reads a number as a person types it; NaN if the text is not a number. */
export const typedNumber = (text: string): number =>
  /^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;

/** Finds the problem with a value of a form's field; undefined if there is none. An optional field may be left out. */
export function formFault({ isRequired, kind }: FormField, value: FormValue | undefined): FormFault | undefined {
  if (value === undefined) return isRequired ? { code: 'missing' } : undefined;
  switch (kind.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { code: 'missing' };
    case 'number': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return { code: 'not-number' };
      if (kind.isInteger && !Number.isInteger(value)) return { code: 'not-integer' };
      return beyond(value, kind, 'too-small', 'too-large');
    }
    case 'text':
      if (typeof value !== 'string') return { code: 'missing' };
      return (
        beyond([...value].length, kind, 'too-short', 'too-long') ??
        (kind.format === undefined || FORMATS[kind.format](value) ? undefined : { code: kind.format })
      );
    case 'choice':
      return kind.choices.some((choice) => choice.value === value) ? undefined : { code: 'not-choice' };
    case 'choices': {
      if (!Array.isArray(value)) return { code: 'not-choice' };
      const known = new Set(kind.choices.map((choice) => choice.value));
      if (new Set(value).size !== value.length || !value.every((one) => known.has(one))) return { code: 'not-choice' };
      return beyond(value.length, kind, 'too-few', 'too-many');
    }
  }
}

type Beyond = Extract<FormFault, { limit: number }>['code'];

function beyond(
  amount: number,
  { min, max }: { min?: number; max?: number },
  less: Beyond,
  more: Beyond,
): FormFault | undefined {
  if (min !== undefined && amount < min) return { code: less, limit: min };
  return max !== undefined && amount > max ? { code: more, limit: max } : undefined;
}

const FORMATS: Record<NonNullable<Extract<FieldKind, { type: 'text' }>['format']>, (text: string) => boolean> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDate(`${text}T00:00:00Z`, text),
  'date-time': (text) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i.test(text) &&
    !Number.isNaN(Date.parse(text)),
};

/** Checks whether `time` is a time on the date `day`: JavaScript reads 30 February as a day in March. */
const isDate = (time: string, day: string): boolean =>
  !Number.isNaN(Date.parse(time)) && new Date(time).toISOString().startsWith(day);
