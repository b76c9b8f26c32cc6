import * as z from 'zod';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { ToolVerb } from '#lib/tools/core/presentation.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { resultContent, type ToolResult } from '#lib/tools/core/tool-call.ts';

/** The verbs that say in a question what a call would do. */
const VERBS: Readonly<Record<ToolVerb, string>> = {
  call: 'Call',
  'run-code': 'Run code',
  'run-command': 'Run',
  'open-page': 'Open',
  fetch: 'Fetch',
  read: 'Read',
  list: 'List',
  search: 'Search',
  check: 'Check',
  write: 'Write',
  edit: 'Edit',
  patch: 'Patch',
  'make-directory': 'Make folder',
  move: 'Move',
  copy: 'Copy',
  delete: 'Delete',
};

/**
 * Describes a call by a verb and a target, such as `Move` and `a.txt → b.txt`. The target is empty if there is none to name.
 */
export function describeCall(
  call: Pick<ToolCallPart, 'toolName' | 'input'>,
  tool: Pick<ToolSpec, 'presentation'> | undefined,
): { verb: string; target: string } {
  if (tool === undefined) return { verb: VERBS.call, target: call.toolName };
  const { presentation } = tool;
  const verb = presentation.verb === 'call' ? `Call ${call.toolName}` : VERBS[presentation.verb];
  const names = namedArguments(presentation);
  const target =
    presentation.verb === 'run-command' || names.length === 0
      ? argument(call, presentation.target)
      : names
          .map((name) => textArgument(call, name))
          .filter((text) => text !== '')
          .join(' → ');
  return {
    verb,
    target: target === '' && presentation.files?.as === 'patch' ? patched(call, presentation.files.argument) : target,
  };
}

/**
 * Describes in one line how a call has ended: by its error, by the exit code of a command that failed, or by its result.
 * `isFine`: whether it succeeded.
 */
export function describeOutcome(result: ToolResult): { isFine: boolean; text: string } {
  if (result.type === 'tool-error') return { isFine: false, text: firstLine(result.message) };
  const failed = failedCommand(result.output.data);
  if (failed !== undefined) return { isFine: false, text: failed };
  const text = resultContent(result).trimEnd();
  const lines = text === '' ? 0 : text.split('\n').length;
  if (lines <= 1) return { isFine: true, text };
  return { isFine: true, text: `${firstLine(text)} (${lines} lines)` };
}

const commandSchema = z.object({ exitCode: z.number(), stdout: z.string(), stderr: z.string() });

/**
 * Describes how a command has failed; undefined if `data` is not the structured result of a command, or if the command has
 * succeeded.
 */
function failedCommand(data: unknown): string | undefined {
  const parsed = commandSchema.safeParse(data);
  if (!parsed.success || parsed.data.exitCode === 0) return undefined;
  const { exitCode, stdout, stderr } = parsed.data;
  const reason = firstLine(stderr.trim() === '' ? stdout : stderr);
  return `exit code ${exitCode}${reason === '' ? '' : `: ${reason}`}`;
}

/**
 * Returns the names of the arguments whose values, if they are texts, stand in the title of a call: `names` of the tool's
 * presentation or, without these, its `target`; none if it has neither.
 */
export const namedArguments = ({ names, target }: ToolSpec['presentation']): readonly string[] =>
  names ?? (target === undefined ? [] : [target]);

function textArgument({ input }: Pick<ToolCallPart, 'input'>, name: string): string {
  const value: unknown = (Object(input) as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}

function argument({ input }: Pick<ToolCallPart, 'input'>, name: string | undefined): string {
  if (name === undefined || typeof input !== 'object' || input === null) return '';
  const value: unknown = (input as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/** Returns the paths in a patch, with commas between them. `name`: the argument with the patch. */
function patched(call: Pick<ToolCallPart, 'input'>, name: string): string {
  const files = [...argument(call, name).matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/gm)];
  return files.map(([, path = '']) => path.trim()).join(', ');
}

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';
