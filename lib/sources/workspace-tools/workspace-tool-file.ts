import { type ExportNamedDeclaration, getLineInfo, type Program } from 'acorn';
import * as z from 'zod';
import { isObjectSchema, type ObjectSchema } from '#lib/tools/schema/json-schema.ts';
import { WORKSPACE_TOOL_LIMITS, WORKSPACE_TOOLS_FOLDER } from './limits.ts';
import { literalOf, NotPlainData } from './literal.ts';
import { parseProgram } from './workspace-tool-parser.ts';

/** The schema of the `spec` that a tool's file exports. */
const specSchema = z.strictObject({
  title: z.string().max(100).optional(),
  description: z.string().trim().min(1).max(WORKSPACE_TOOL_LIMITS.description),
  inputSchema: z
    .custom<ObjectSchema>(isObjectSchema, 'must be a JSON Schema whose type is "object"')
    .default({ type: 'object', properties: {} }),
  /** `read`: it changes nothing, so it may run without a question, and cannot write files. */
  effect: z.enum(['read', 'execute']).default('execute'),
  /** The time limit for a call, in seconds. */
  timeout: z.number().int().min(1).max(WORKSPACE_TOOL_LIMITS.secondsMax).default(WORKSPACE_TOOL_LIMITS.seconds),
});

/**
 * A tool of the workspace as its file defines it: the title, description, input schema, effect, and time limit from the `spec`
 * in the file, and the file’s name and text.
 */
export interface WorkspaceToolFile extends z.infer<typeof specSchema> {
  /** The file's name, without `.js`. */
  name: string;
  path: string;
  /** The file's text. */
  source: string;
  /** The file's text as the body of a function: spaces replace each `export`, so lines and columns stay the same. */
  body: string;
}

/** The reason why a file is no tool: a sentence that says where the fault is, and what to do. */
interface WorkspaceToolProblem {
  path: string;
  reason: string;
}

/** Matches the name of a tool. Like the studio's own, it has only letters, digits, and `_`, which all providers accept. */
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Returns the name of the tool in a file; undefined if the file is not a `.js` file in the tools folder. */
function nameOf(path: string): string | undefined {
  const inFolder = path.startsWith(`${WORKSPACE_TOOLS_FOLDER}/`) ? path.slice(WORKSPACE_TOOLS_FOLDER.length + 1) : '';
  return inFolder.endsWith('.js') ? inFolder.slice(0, -'.js'.length) : undefined;
}

/**
 * The results of reading files, by path and content, because a workspace is read again with every turn. The one that was used
 * longest ago comes first, and is the next to be removed.
 */
const readFiles = new Map<string, WorkspaceToolFile | WorkspaceToolProblem>();

/**
 * Reads the file of a tool, which exports `const spec = {…}`, plain data, and `function run(input, { vfs, signal })`. None of
 * it is run. A file that cannot be used gives a `WorkspaceToolProblem`, which says why.
 */
export function readWorkspaceTool(path: string, source: string): WorkspaceToolFile | WorkspaceToolProblem {
  const key = `${path.length} ${path}${source}`;
  const read = readFiles.get(key) ?? readFile(path, source);
  readFiles.delete(key);
  readFiles.set(key, read);
  const [oldest] = readFiles.keys();
  if (readFiles.size > WORKSPACE_TOOL_LIMITS.tools && oldest !== undefined) readFiles.delete(oldest);
  return read;
}

function readFile(path: string, source: string): WorkspaceToolFile | WorkspaceToolProblem {
  const name = nameOf(path) ?? '';
  const problem = (reason: string, at?: number): WorkspaceToolProblem => ({
    path,
    reason: at === undefined ? reason : `Line ${getLineInfo(source, at).line}: ${reason}`,
  });
  if (!NAME.test(name))
    return problem('A tool’s file is named by lower-case letters, digits, and _, such as count_words.js.');
  if (source.length > WORKSPACE_TOOL_LIMITS.file)
    return problem(`The file has ${source.length} characters; the limit is ${WORKSPACE_TOOL_LIMITS.file}.`);
  try {
    const program = parseProgram(source, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowAwaitOutsideFunction: false,
    });
    const { spec, body } = partsOf(program, source);
    const parsed = specSchema.safeParse(literalOf(spec));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const field = issue?.path.join('.') ?? '';
      return problem(
        `In spec${field === '' ? '' : `, “${field}”`}: ${issue?.message ?? 'it is not valid'}.`,
        spec.start,
      );
    }
    return { ...parsed.data, name, path, source, body };
  } catch (error) {
    if (error instanceof NotPlainData) return problem(`In spec: ${error.message}`, error.at);
    if (error instanceof NotATool) return problem(error.message, error.at);
    if (error instanceof RangeError) return problem('The file is nested too deeply to be read.');
    if (!(error instanceof SyntaxError)) throw error;
    const { pos, message } = error as SyntaxError & { pos?: number };
    return problem(`${message.replace(/ \(\d+:\d+\)$/, '')}.`, pos);
  }
}

/** Thrown for a program that is no tool; `at` is where, as an offset in the source. */
class NotATool extends Error {
  override readonly name = 'NotATool';
  readonly at: number | undefined;

  constructor(message: string, at?: number) {
    super(message);
    this.at = at;
  }
}

const SPEC_MISSING = 'It has no spec. Write: export const spec = { description: "…", inputSchema: {…} };';
const RUN_MISSING = 'It has no function run. Write: export async function run(input, { vfs, signal }) {…}';

/** Returns the expression of the spec, and the program as the body of a function. Throws `NotATool` or `NotPlainData`. */
function partsOf(program: Program, source: string) {
  let spec: Parameters<typeof literalOf>[0] | undefined;
  let hasRun = false;
  const exported: number[] = [];
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration')
      throw new NotATool('A tool cannot import anything: put all of it into its file.', node.start);
    if (node.type === 'ExportDefaultDeclaration' || node.type === 'ExportAllDeclaration')
      throw new NotATool('Only “export const spec” and “export function run” can be exported.', node.start);
    if (node.type !== 'ExportNamedDeclaration') continue;
    const { name, value } = exportedBy(node);
    if (name === 'spec' && value !== undefined) spec = value;
    if (name === 'run') hasRun = true;
    exported.push(node.start);
  }
  if (spec === undefined) throw new NotATool(SPEC_MISSING);
  if (!hasRun) throw new NotATool(RUN_MISSING);
  return { spec, body: withoutExports(source, exported) };
}

const EXPORT = 'export';

/** Returns the source with spaces in the place of each `export` that begins at one of these offsets. */
function withoutExports(source: string, starts: readonly number[]): string {
  const ends = [0, ...starts.map((start) => start + EXPORT.length)];
  return ends.map((end, index) => source.slice(end, starts[index])).join(' '.repeat(EXPORT.length));
}

/**
 * Reads the declaration of a named export. Returns its name, and as `value` the expression for the value of a variable; a
 * function has none. Throws `NotATool` for any export but one function or one variable.
 */
function exportedBy({ declaration, start }: ExportNamedDeclaration) {
  if (declaration?.type === 'FunctionDeclaration') return { name: declaration.id.name };
  const [declared, ...more] = declaration?.type === 'VariableDeclaration' ? declaration.declarations : [];
  if (declared?.id.type !== 'Identifier' || more.length > 0)
    throw new NotATool('Only “export const spec” and “export function run” can be exported.', start);
  return { name: declared.id.name, value: declared.init ?? undefined };
}
