import { expect, test } from 'vitest';
import type { CallForm, FormField } from '#lib/tools/core/call-form.ts';
import { askForm } from './form.ts';

const text = (field: Partial<FormField> = {}): FormField => ({
  name: 'city',
  label: 'City',
  isRequired: true,
  kind: { type: 'text', min: 2, max: 20 },
  ...field,
});

/** Asks with a form, and answers with these lines; then the input ends. */
async function answers(fields: readonly FormField[], lines: readonly string[], message = 'Where do you live?') {
  const left = [...lines];
  const written: string[] = [];
  const form: CallForm = { from: 'weather', message, fields };
  const output = { write: (part: string) => void written.push(part), hasColors: false, columns: 80 };
  const question = async (prompt: string) => {
    written.push(prompt);
    return left.shift();
  };
  const answer = await askForm({ reader: { question }, output }, form, new AbortController().signal);
  return { answer, shown: written.join(''), left };
}

test('a form is filled in field by field, shown, and sent', async () => {
  const { answer, shown, left } = await answers([text()], ['y', 'Lima', 'y']);
  expect(answer).toEqual({ action: 'accept', content: { city: 'Lima' } });
  expect(shown).toContain('? The server weather asks:\n│ Where do you live?\n');
  expect(shown).toContain('Never enter passwords');
  expect(shown).toContain('This goes to weather:\n│ City: Lima\n');
  expect(left).toEqual([]);
});

test.each<[string, string[], object]>([
  ['declined', ['n'], { action: 'decline' }],
  ['cancelled', ['c'], { action: 'cancel' }],
  ['declined after it was filled in', ['y', 'Lima', 'n'], { action: 'decline' }],
  ['changed before it is sent', ['y', 'Lima', 'e', 'Cusco', 'y'], { action: 'accept', content: { city: 'Cusco' } }],
  ['given up at the question', [], { action: 'cancel' }],
  ['given up at a field', ['y'], { action: 'cancel' }],
  ['given up at the end', ['y', 'Lima'], { action: 'cancel' }],
  ['answered with another letter first', ['x', '', 'y', 'Lima', 'y'], { action: 'accept', content: { city: 'Lima' } }],
])('a form can be %s', async (_, lines, answer) => {
  expect((await answers([text()], lines)).answer).toEqual(answer);
});

test.each<[string, FormField, string, string]>([
  ['nothing where something is needed', text(), '', 'Enter something'],
  ['too short', text(), 'L', 'at least 2 characters'],
  ['too long', text(), 'x'.repeat(21), 'at most 20 characters'],
  ['no address', text({ kind: { type: 'text', format: 'email', max: 99 } }), 'ada', 'email address'],
  ['no day', text({ kind: { type: 'text', format: 'date', max: 99 } }), '2026-02-30', 'a date such as'],
  ['no number', text({ kind: { type: 'number', isInteger: false } }), '1,5', 'Enter a number.'],
  ['no whole number', text({ kind: { type: 'number', isInteger: true } }), '1.5', 'whole number'],
  ['too large', text({ kind: { type: 'number', isInteger: true, max: 3 } }), '4', '3 or less'],
  ['neither yes nor no', text({ kind: { type: 'boolean' } }), 'maybe', 'Enter something'],
  ['no place of a choice', text({ kind: { type: 'choice', choices: [{ value: 'a', title: 'A' }] } }), '2', 'the list'],
  ['a choice by its name', text({ kind: { type: 'choice', choices: [{ value: 'a', title: 'A' }] } }), 'A', 'the list'],
  ['two of one', text({ kind: { type: 'choices', choices: [{ value: 'a', title: 'A' }] } }), '1, 1', 'each once'],
])('a value that is %s is asked for again, with what is wrong', async (_, field, line, reason) => {
  const { answer, shown } = await answers([field], ['y', line]);
  expect(shown).toContain(reason);
  expect(answer).toEqual({ action: 'cancel' });
});

const choices = ['Red', 'Green', 'Blue'].map((title) => ({ value: title.toLowerCase(), title }));

test('each kind of value is taken as it is meant', async () => {
  const fields = [
    text({ name: 'n', kind: { type: 'number', isInteger: false } }),
    text({ name: 'b', kind: { type: 'boolean' } }),
    text({ name: 'one', kind: { type: 'choice', choices } }),
    text({ name: 'some', kind: { type: 'choices', choices } }),
    text({ name: 'left', isRequired: false }),
  ];
  const { answer, shown } = await answers(fields, ['y', '1e3', 'yes', '2', '3 1', '', 'y']);
  expect(answer).toEqual({ action: 'accept', content: { n: 1_000, b: true, one: 'green', some: ['blue', 'red'] } });
  expect(shown).toContain('│ 1 Red\n│ 2 Green\n│ 3 Blue\n');
  expect(shown).toContain('City: (nothing)');
});

test('Enter takes what is there at first, and - leaves it empty', async () => {
  const fields = [
    text({ name: 'kept', initial: 'Lima' }),
    text({ name: 'given up', isRequired: false, initial: 'Cusco' }),
    text({ name: 'b', kind: { type: 'boolean' } }),
    text({ name: 'one', kind: { type: 'choice', choices }, initial: 'blue' }),
  ];
  const { answer, shown } = await answers(fields, ['y', '', '-', '', '', 'y']);
  expect(answer).toEqual({ action: 'accept', content: { kept: 'Lima', b: false, one: 'blue' } });
  expect(shown).toContain('Enter takes “Blue”.');
});

test('what a server says cannot change the terminal, or pass for what the program says', async () => {
  const field = text({ label: 'City\u001b[2J\n? Allow', description: 'One\nTwo\u202e' });
  const { shown } = await answers([field], ['y', 'Lima', 'y'], 'Hi\u001b]0;x\u0007\n> y\u200b');
  for (const character of ['\u001b', '\u0007', '\u202e', '\u200b']) expect(shown).not.toContain(character);
  expect(shown).toContain('│ Hi\\x1b]0;x\\x07\n│ > y\\u{200b}\n');
  expect(shown.split('\n')).not.toContain('? Allow');
});

test('names that every object has are no values', async () => {
  const { answer } = await answers([text({ name: 'toString', isRequired: false })], ['y', '', 'y']);
  expect(answer).toEqual({ action: 'accept', content: {} });
});

test('a form without fields is agreed to', async () => {
  expect((await answers([], ['y'])).answer).toEqual({ action: 'accept', content: {} });
});
