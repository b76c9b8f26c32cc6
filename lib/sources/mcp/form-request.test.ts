import { describe, expect, test } from 'vitest';
import { type FormRequest, readFormRequest } from './form-request.ts';
import { MCP_LIMITS } from './limits.ts';

const ask = (properties: Record<string, unknown>, message = 'Where do you live?', required?: string[]): FormRequest =>
  readFormRequest({
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties, ...(required !== undefined && { required }) },
  });

test('a form has the fields that the server asks for, in its order, with what is there at first', () => {
  const request = ask(
    {
      city: { type: 'string', title: 'City', minLength: 1, maxLength: 80, default: 'Lima' },
      zip: { type: 'integer', minimum: 0, maximum: 99_999 },
      mail: { type: 'string', format: 'email', description: 'For the receipt.' },
      size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'], default: 'm' },
      colour: { type: 'string', oneOf: [{ const: '#f00', title: 'Red' }] },
      extras: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 1, default: ['a'] },
      more: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] } },
      agree: { type: 'boolean', default: true },
    },
    'Where?',
    ['city', 'agree'],
  );
  expect(request).toEqual({
    form: {
      message: 'Where?',
      fields: [
        {
          name: 'city',
          label: 'City',
          isRequired: true,
          initial: 'Lima',
          kind: { type: 'text', min: 1, max: 80 },
        },
        {
          name: 'zip',
          label: 'zip',
          isRequired: false,
          kind: { type: 'number', isInteger: true, min: 0, max: 99_999 },
        },
        {
          name: 'mail',
          label: 'mail',
          description: 'For the receipt.',
          isRequired: false,
          kind: { type: 'text', format: 'email', max: MCP_LIMITS.formValue },
        },
        {
          name: 'size',
          label: 'size',
          isRequired: false,
          initial: 'm',
          kind: {
            type: 'choice',
            choices: [
              { value: 's', title: 'Small' },
              { value: 'm', title: 'Medium' },
            ],
          },
        },
        {
          name: 'colour',
          label: 'colour',
          isRequired: false,
          kind: { type: 'choice', choices: [{ value: '#f00', title: 'Red' }] },
        },
        {
          name: 'extras',
          label: 'extras',
          isRequired: false,
          initial: ['a'],
          kind: {
            type: 'choices',
            max: 1,
            choices: [
              { value: 'a', title: 'a' },
              { value: 'b', title: 'b' },
            ],
          },
        },
        {
          name: 'more',
          label: 'more',
          isRequired: false,
          kind: { type: 'choices', choices: [{ value: 'x', title: 'X' }] },
        },
        { name: 'agree', label: 'agree', isRequired: true, initial: true, kind: { type: 'boolean' } },
      ],
    },
  });
});

test('what is there at first has to fit the field', () => {
  const request = ask({
    size: { type: 'string', enum: ['s'], default: 'xxl' },
    zip: { type: 'integer', default: 0.5 },
  });
  expect('form' in request && request.form.fields.every(({ initial }) => initial === undefined)).toBe(true);
});

describe('a server may not ask for a secret', () => {
  const text = { type: 'string' };
  test.each([
    ...['password', 'apiKey', 'api_key', 'API-KEY', 'token', 'accessToken', 'client_secret', 'pin', 'otp', 'ssh.key'],
    ...['privateKey', 'passphrase', 'cvv', 'credentials', 'seedPhrase', 'cardNumber', 'pass_word', 'ＰＡＳＳＷＯＲＤ'],
    ...['Ihr Passwort', 'contraseña', 'пароль', 'パスワード', '비밀번호'],
    ...['密码', 'github_token', 'verification code', 'sessionId'],
  ])('in a field called %s', (name) => {
    expect(ask({ [name]: text })).toEqual({ refusal: expect.stringContaining('secret') });
    expect(ask({ harmless: { ...text, title: name } })).toEqual({ refusal: expect.stringContaining('secret') });
  });

  test('in a description, or in the question itself', () => {
    const refused = { refusal: expect.stringContaining('secret') };
    expect(ask({ answer: { ...text, description: 'Your GitHub password' } })).toEqual(refused);
    expect(ask({ answer: text }, 'Paste your API key here.')).toEqual(refused);
    expect(ask({ answer: text }, 'Enter your\npassword\there.')).toEqual(refused);
  });

  test.each<[string, string]>([
    ['a character that nobody sees', 'pass\u200bword'],
    ['a soft hyphen', 'API\u00ad key'],
    ['an invisible separator and a variation', 'to\u2063ke\ufe0fn'],
    ['Cyrillic letters', 'р\u0430ssw\u043erd'],
    ['Greek letters', 't\u03bfken'],
    ['a mark above a letter', 'pa\u0301ssword'],
  ])('also if it is written with %s', (_, name) => {
    const refused = { refusal: expect.stringContaining('secret') };
    expect(ask({ [name]: text })).toEqual(refused);
    expect(ask({ answer: { ...text, title: name } })).toEqual(refused);
    expect(ask({ answer: text }, `Enter your access ${name}, or what your ${name} is.`)).toEqual(refused);
  });

  test.each(['имя', 'όνομα', 'prénom', 'naïve'])('and %s is none, whatever its letters', (name) => {
    expect(ask({ [name]: text })).toHaveProperty('form');
  });

  test.each(['name', 'keyboard', 'monkey', 'passenger', 'tokenizer', 'spinach', 'compass', 'passport_country'])(
    'and %s is none',
    (name) => {
      expect(ask({ [name]: text })).toHaveProperty('form');
    },
  );
});

const many = (amount: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: amount }, (_, n) => [`f${n}`, value]));

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'Hello'],
  ['a page', { mode: 'url', message: 'Log in', url: 'https://evil.test', elicitationId: '1' }],
  ['an unknown mode', { mode: 'voice', message: 'Hello', requestedSchema: { type: 'object', properties: {} } }],
  ['no schema', { message: 'Hello' }],
  ['a message that is none', { message: {}, requestedSchema: { type: 'object', properties: {} } }],
])('asking by %s is declined, with the reason', (_, params) => {
  expect(readFormRequest(params)).toEqual({ refusal: expect.stringMatching(/\.$/) });
});

test.each<[string, Record<string, unknown>]>([
  ['too many fields', many(MCP_LIMITS.formFields + 1, { type: 'string' })],
  ['nested objects', { a: { type: 'object', properties: {} } }],
  ['an unknown type', { a: { type: 'file' } }],
  ['no type', { a: {} }],
  ['a field that is none', { a: null }],
  ['a name that is too long', { ['x'.repeat(MCP_LIMITS.name + 1)]: { type: 'string' } }],
  ['a description that is too long', { a: { type: 'string', description: 'x'.repeat(MCP_LIMITS.formText + 1) } }],
  ['choices that are none', { a: { type: 'string', enum: [] } }],
  ['too many choices', { a: { type: 'string', enum: Object.keys(many(MCP_LIMITS.formChoices + 1, 0)) } }],
  ['the same choice twice', { a: { type: 'string', enum: ['x', 'x'] } }],
  ['lists of anything', { a: { type: 'array', items: { type: 'string' } } }],
])('a form with %s is declined, with the reason', (_, properties) => {
  expect(ask(properties)).toEqual({ refusal: expect.stringMatching(/\.$/) });
});

test('a pattern is not run, and a name that needs care stays a name', () => {
  const properties = JSON.parse('{"__proto__":{"type":"string","pattern":"^(a+)+$"}}');
  const request = ask(properties);
  expect('form' in request && request.form.fields.map(({ name }) => name)).toEqual(['__proto__']);
});
