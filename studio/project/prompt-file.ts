import * as z from 'zod';
import { frontMatterOf } from './front-matter.ts';
import { PROMPT_LIMITS } from './prompt-limits.ts';

/** The text of the file of a new prompt (see `PromptFile`), as an example for the person to change. */
export const NEW_PROMPT = `---
description: Reviews a file
arguments:
  - name: path
    description: The file to review
  - name: focus
    description: What to look at
    required: false
---

Review {{path}}. {{focus}}
Name what is wrong, with line numbers, and propose a fix for each.
`;

/** An argument of a prompt. */
interface PromptArgument {
  name: string;
  description: string;
  isRequired: boolean;
}

/** A prompt of the workspace: a message that people insert by its name, with arguments to fill in. */
export interface PromptFile {
  /** The purpose of the prompt; the first line of its text if the file does not say. */
  description: string;
  arguments: readonly PromptArgument[];
  /** The message, with the arguments as `{{name}}`. */
  body: string;
}

const ARGUMENT = /\{\{\s*([A-Za-z][\w-]*)\s*\}\}/g;

const argumentSchema = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z][\w-]*$/, 'must be a word')
    .max(PROMPT_LIMITS.name),
  description: z.string().max(500).default(''),
  required: z.boolean().default(true),
});
const argumentsSchema = z.array(argumentSchema).max(PROMPT_LIMITS.arguments).default([]);

/** Reads the text of a prompt's file. Returns the prompt, or the `reason` why it cannot be used, as a sentence. */
export function readPrompt(text: string): PromptFile | { reason: string } {
  const { values, body: whole, fault } = frontMatterOf(text);
  if (fault !== undefined) return { reason: fault };
  const body = whole.trim();
  if (body === '') return { reason: 'It has no text.' };
  if (body.length > PROMPT_LIMITS.text)
    return { reason: `It has ${body.length} characters; the limit is ${PROMPT_LIMITS.text}.` };
  const declared = argumentsSchema.safeParse(values.arguments ?? undefined);
  if (!declared.success) {
    const [issue] = declared.error.issues;
    return {
      reason: `In “arguments”, ${issue?.path.join('.') || 'the list'}: ${issue?.message ?? 'it is not valid'}.`,
    };
  }
  const known = new Map(
    declared.data.map(({ name, description, required }) => [name, { name, description, isRequired: required }]),
  );
  for (const [, name = ''] of body.matchAll(ARGUMENT))
    if (!known.has(name)) known.set(name, { name, description: '', isRequired: true });
  if (known.size > PROMPT_LIMITS.arguments)
    return { reason: `It has ${known.size} arguments; the limit is ${PROMPT_LIMITS.arguments}.` };
  const described = typeof values.description === 'string' ? values.description : (body.split('\n', 1)[0] ?? '');
  return { description: described.replaceAll(/\s+/g, ' ').trim().slice(0, 300), arguments: [...known.values()], body };
}

/**
 * Returns the message of a prompt, with the values in `given` in place of its arguments. A missing value is left empty.
 * Arguments that a value contains are not replaced.
 */
export const filledPrompt = ({ body }: PromptFile, given: Readonly<Record<string, string>>): string =>
  body.replaceAll(ARGUMENT, (_, name: string) => (Object.hasOwn(given, name) ? (given[name] ?? '') : ''));
