import * as z from 'zod';
import { defined } from '#lib/base/defined.ts';
import { type CallForm, type FieldKind, type FormField, type FormValue, formFault } from '#lib/tools/core/call-form.ts';
import { keywordsOf } from '#lib/tools/schema/json-schema.ts';
import { MCP_LIMITS } from './limits.ts';

/**
 * The form that a server wants the person to fill in, or, as `refusal`, a sentence about why the person is not asked, for a
 * note in the call's result.
 */
export type FormRequest = { form: Omit<CallForm, 'from'> } | { refusal: string };

const text = z.string().max(MCP_LIMITS.formText);
const bound = z.number().finite().optional();
const choicesSchema = z.array(z.object({ const: text, title: text }));
const described = { title: text.optional(), description: text.optional() };

/** The fields that the protocol allows in a form. */
const fieldSchema = z.union([
  z.object({ ...described, type: z.literal('boolean'), default: z.boolean().optional() }),
  z.object({
    ...described,
    type: z.enum(['number', 'integer']),
    minimum: bound,
    maximum: bound,
    default: bound,
  }),
  z.object({
    ...described,
    type: z.literal('string'),
    enum: z.array(text).optional(),
    enumNames: z.array(text).optional(),
    oneOf: choicesSchema.optional(),
    minLength: bound,
    maxLength: bound,
    format: z.string().optional(),
    default: text.optional(),
  }),
  z.object({
    ...described,
    type: z.literal('array'),
    items: z.union([z.object({ enum: z.array(text) }), z.object({ anyOf: choicesSchema })]),
    minItems: bound,
    maxItems: bound,
    default: z.array(text).optional(),
  }),
]);

type Described = z.infer<typeof fieldSchema>;

const requestSchema = z.object({
  mode: z.string().optional(),
  message: z.string(),
  requestedSchema: z
    .object({
      type: z.literal('object'),
      // A record of zod leaves some names out.
      properties: z.custom<Record<string, unknown>>((value) => keywordsOf(value) !== undefined),
      required: z.array(z.string()).optional(),
    })
    .optional(),
});

/**
 * Reads a server's request to fill in a form. One that asks for a secret, or that the studio does not understand, is refused.
 * `params` may be anything; this never throws.
 */
export function readFormRequest(params: unknown): FormRequest {
  const request = requestSchema.safeParse(params).data;
  if (request?.mode === 'url')
    return { refusal: 'It wanted to open a web page, which the studio does not do for a server.' };
  if (request?.requestedSchema === undefined || (request.mode ?? 'form') !== 'form')
    return { refusal: 'Its question is not what the protocol asks for.' };
  const { properties, required = [] } = request.requestedSchema;
  const entries = Object.entries(properties);
  if (entries.length > MCP_LIMITS.formFields)
    return { refusal: `It asked for more than ${MCP_LIMITS.formFields} values at once.` };
  const fields: FormField[] = [];
  for (const [name, property] of entries) {
    const shown = name.slice(0, MCP_LIMITS.name);
    const parsed = fieldSchema.safeParse(property);
    const kind = parsed.success ? kindOf(parsed.data) : undefined;
    if (!parsed.success || kind === undefined || name.length > MCP_LIMITS.name)
      return { refusal: `It asked for “${shown}” in a way that the studio does not know.` };
    const { title, description, default: initial } = parsed.data;
    if (asksForSecret(name, title, description))
      return { refusal: `It asked for “${shown}”, which looks like a secret. Servers must not ask for secrets.` };
    const field: FormField = {
      name,
      kind,
      isRequired: required.includes(name),
      label: title === undefined || title.trim() === '' ? name : title,
      ...defined({ description }),
    };
    const fits = initial !== undefined && formFault(field, initial as FormValue) === undefined;
    fields.push(fits ? { ...field, initial: initial as FormValue } : field);
  }
  if (asksForSecret('', undefined, request.message))
    return { refusal: 'Its question asks for a secret. Servers must not ask for secrets.' };
  return { form: { message: request.message.slice(0, MCP_LIMITS.formText), fields } };
}

function kindOf(field: Described): FieldKind | undefined {
  switch (field.type) {
    case 'boolean':
      return { type: 'boolean' };
    case 'number':
    case 'integer':
      return { type: 'number', isInteger: field.type === 'integer', ...range(field.minimum, field.maximum) };
    case 'array': {
      const choices =
        'enum' in field.items ? field.items.enum.map((value) => ({ value, title: value })) : titled(field.items.anyOf);
      return isChoosable(choices) ? { type: 'choices', choices, ...range(field.minItems, field.maxItems) } : undefined;
    }
    case 'string': {
      const { enum: values, enumNames = [], oneOf, format, minLength, maxLength = MCP_LIMITS.formValue } = field;
      const choices =
        oneOf === undefined ? values?.map((value, n) => ({ value, title: enumNames[n] ?? value })) : titled(oneOf);
      if (choices !== undefined) return isChoosable(choices) ? { type: 'choice', choices } : undefined;
      return {
        type: 'text',
        ...range(minLength, Math.min(maxLength, MCP_LIMITS.formValue)),
        ...(isFormat(format) && { format }),
      } as FieldKind;
    }
  }
}

const range = (min: number | undefined, max: number | undefined): { min?: number; max?: number } =>
  defined({ min, max });

const titled = (choices: z.infer<typeof choicesSchema>) => choices.map(({ const: value, title }) => ({ value, title }));

const isChoosable = (choices: readonly { value: string }[]): boolean =>
  choices.length > 0 &&
  choices.length <= MCP_LIMITS.formChoices &&
  new Set(choices.map(({ value }) => value)).size === choices.length;

const isFormat = (format: string | undefined): format is 'email' | 'uri' | 'date' | 'date-time' =>
  format === 'email' || format === 'uri' || format === 'date' || format === 'date-time';

/** Letters of other scripts, and at the same index in `LATIN` the Latin letters that they look like. */
const FOREIGN = 'авсеһіјкорѕтѵԝхуαεικνορτυχ';
const LATIN = 'abcehijkopstvwxyaeikvoptux';

function latinOf(letter: string): string {
  const lower = letter.toLowerCase();
  const latin = LATIN[FOREIGN.indexOf(lower)] ?? letter;
  return lower === letter ? latin : latin.toUpperCase();
}

/**
 * Returns a text as people see it: without invisible characters and marks, and with each letter as the Latin one that it
 * looks like.
 */
function seen(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\t-\r]/g, ' ')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{M}\p{Cc}]/gu, '')
    .replace(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, latinOf);
}

/** The words for a password or another secret in other languages, as alternatives of a regular expression. */
const PASSWORDS = `Passwort, Kennwort, contraseña, mot de passe, senha, palavra-passe, wachtwoord, hasło, lösenord,
adgangskode, salasana, heslo, jelszó, şifre, пароль, κωδικός, パスワード, 暗証番号, 비밀번호, 密码, 密碼, 口令, 密钥, 令牌`
  .split(/,\s+/)
  .map((word) => seen(word).replace('-', ' '))
  .join('|');

/** Matches names and titles of fields that ask for a secret. */
const SECRET_NAME = new RegExp(
  `\\b(pass ?(words?|phrases?|codes?|wd)|pwd|pins?|otp|totp|mfa|2fa|tokens?|secrets?|credentials?|cvv|cvc|ssn|iban|(api|access|private|secret|ssh|signing|encryption|auth|license) ?keys?|keys?|seed ?(phrase|words?)|mnemonic|card ?number|credit ?card|bearer|jwt|cookie|session ?id|(verification|security|one time|backup|recovery) codes?)\\b|${PASSWORDS}|验证码`,
  'iu',
);

/** Matches descriptions and messages that ask for a secret, by words that have no other meaning. */
const SECRET_TEXT = new RegExp(
  `\\b(passwords?|passphrases?|passcodes?|(api|private|secret|ssh) ?keys?|access ?tokens?|bearer ?tokens?|auth(entication)? ?tokens?|seed ?phrases?|credit ?card|cvv|one-?time ?codes?)\\b|${PASSWORDS}`,
  'iu',
);

function asksForSecret(name: string, title = '', description = ''): boolean {
  // `apiKey`, `api_key` and `API-KEY` are the same words.
  const words = (value: string) =>
    seen(value)
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/[_.\-/:]+/g, ' ');
  return SECRET_NAME.test(words(name)) || SECRET_NAME.test(words(title)) || SECRET_TEXT.test(words(description));
}
