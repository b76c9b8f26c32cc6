import * as z from 'zod';

/**
 * The actions of calls, for the question that asks the user for permission. The list is closed, because each
 * language has a sentence for every verb; `call` is for tools without a verb of their own.
 */
export const TOOL_VERBS = [
  'call',
  'run-code',
  'run-command',
  'open-page',
  'fetch',
  'read',
  'list',
  'search',
  'check',
  'write',
  'edit',
  'patch',
  'make-directory',
  'move',
  'copy',
  'delete',
] as const;

/** The action of a call; see `TOOL_VERBS`. */
export type ToolVerb = (typeof TOOL_VERBS)[number];

const diffSchema = z.discriminatedUnion('of', [
  /** The argument is a patch. */
  z.object({ as: z.literal('diff'), of: z.literal('patch'), argument: z.string() }),
  /** The argument is the new text; `find`: the name of the argument with the old text. */
  z.object({ as: z.literal('diff'), of: z.literal('edit'), find: z.string(), argument: z.string() }),
  /** The argument lists replacements; `find` and `replace`: the names of the old and the new text in each of them. */
  z.object({
    as: z.literal('diff'),
    of: z.literal('edits'),
    argument: z.string(),
    find: z.string(),
    replace: z.string(),
  }),
]);

const inputViewSchema = z.discriminatedUnion('as', [
  /** The argument is code in a language. */
  z.object({ as: z.literal('code'), argument: z.string(), language: z.string() }),
  /** The argument is the whole content of a file; `path`: the name of the argument with its path. */
  z.object({ as: z.literal('file'), argument: z.string(), path: z.string() }),
  diffSchema,
]);

/**
 * The way in which the card of a call shows the arguments: as code, as a file, or as a diff. `argument`: the name of the
 * argument that is shown in full.
 */
export type InputView = z.infer<typeof inputViewSchema>;

/**
 * The views of a result: as plain text, as the content of the file that the call names, as a diff, as a list with an
 * entry per line, as a value with console output, as the state of a page, or not at all.
 */
const RESULT_VIEWS = ['text', 'code', 'diff', 'list', 'value', 'page', 'nothing'] as const;

/**
 * The way in which people see a tool's calls: the question for permission, the card of a call, and the file that the card
 * opens all come from this.
 */
export const presentationSchema = z.object({
  verb: z.enum(TOOL_VERBS),
  /** The argument that a one-line card shows. */
  target: z.string().optional(),
  /** The arguments whose values the question names, in the order of the verb's sentence; by default, the paths in `files`. */
  names: z.array(z.string()).optional(),
  /** The argument that names the files that a call reads or leaves behind: a path, or a patch with several. */
  files: z.object({ argument: z.string(), as: z.enum(['path', 'patch']) }).optional(),
  /** The view of the arguments; by default, each is shown as text. */
  input: inputViewSchema.optional(),
  /** The view of the result; text by default. */
  result: z.enum(RESULT_VIEWS).optional(),
});

/**
 * The way in which people see a tool's calls: their question for permission, their card, and the file that the card opens.
 */
export type ToolPresentation = z.infer<typeof presentationSchema>;

/**
 * Returns the names of the arguments of a tool that its presentation, the way in which people see its calls, refers to, each
 * once.
 */
export function presentedArguments({ target, names = [], files, input }: ToolPresentation): string[] {
  const shown = input === undefined ? [] : [input.argument];
  if (input?.as === 'file') shown.push(input.path);
  if (input?.as === 'diff' && input.of === 'edit') shown.push(input.find);
  return [...new Set([target, ...names, files?.argument, ...shown].filter((name) => name !== undefined))];
}
