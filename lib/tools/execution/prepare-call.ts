import { roundedNumber } from '#lib/base/rounded-number.ts';
import { failure } from '../core/failure.ts';
import type { ParsedInput, Tool } from '../core/tool.ts';
import type { ToolCall, ToolResult } from '../core/tool-call.ts';
import { parseToolInput } from '../schema/parse-input.ts';
import { inputSignature } from '../schema/signature.ts';
import { type NotRun, notRun } from './call-outcome.ts';
import type { ToolHost } from './host.ts';

/** A call that can run. `adjusted`: sentences about arguments that were taken in another form than they were written. */
interface PreparedCall {
  type: 'prepared';
  tool: Tool;
  input: unknown;
  adjusted: readonly string[];
}

/**
 * Looks up a call's tool, and returns it with the checked arguments, in which defaults are filled in (rule R5), and with
 * sentences for the model about arguments that were replaced (`adjusted`). If there is no such tool, or the arguments cannot be
 * used, returns the call as not run, with the error as its result.
 */
export function prepareCall(call: ToolCall, host: ToolHost): PreparedCall | NotRun {
  const tool = host.get(call.toolName);
  if (tool === undefined) {
    const names = host.list().map(({ name }) => name);
    const why = host.whyMissing(call.toolName);
    const message = `There is no tool "${call.toolName}". ${why === undefined ? '' : `${why} `}The tools are: ${names.join(', ')}.`;
    return notRun(failure(call, 'no-such-tool', message));
  }
  if (call.inputState === 'incomplete') return notRun(incompleteResult(call));
  if (call.inputState === 'invalid') {
    const text = call.inputText ?? '';
    const number = roundedNumber(text);
    if (number !== undefined) return notRun(failure(call, 'invalid-input', inexactMessage(number)));
    // Small models copy what they are shown, so the text is left out where a sentence can say what is wrong with it.
    const reason = endsInString(text)
      ? 'they end inside a string. Close it with " and the object with }, and write \\" for a quotation mark inside it.'
      : `${excerpt(text)}.`;
    const message = `The arguments of ${tool.name} are not a complete JSON object: ${reason} Call it again with complete arguments: ${inputSignature(tool)}.`;
    return notRun(failure(call, 'invalid-input', message));
  }
  const parsed = parseToolInput(tool, call.input);
  if (!parsed.success) {
    const message = `The arguments of ${tool.name} do not match its schema. ${issuesOf(parsed.issues)} Correct these fields and call it again. The arguments are: ${inputSignature(tool)}.`;
    return notRun(failure(call, 'invalid-input', message));
  }
  return { type: 'prepared', tool, input: parsed.data, adjusted: parsed.adjusted ?? [] };
}

/** Returns the message for the model that a number has too many digits to be passed to a tool exactly. */
export const inexactMessage = (number: string): string =>
  `Not run: the number ${number} has more digits than can be passed exactly. Write it as a string, if the tool takes one.`;

/** The result of a call whose arguments were cut off: says how much arrived and how to continue (rule R6). */
function incompleteResult(call: ToolCall): ToolResult {
  const length = call.inputText?.length ?? 0;
  const message = `The reply was cut off inside this call after ${length} characters of its arguments, so it was not run. Call it again with shorter arguments, or in several smaller steps.`;
  return failure(call, 'incomplete', message);
}

const issuesOf = (issues: Extract<ParsedInput, { success: false }>['issues']): string =>
  issues.map(({ path, message }) => `"${path || '(arguments)'}": ${message}.`).join(' ');

/** Checks whether JSON ends inside a string. */
const endsInString = (text: string): boolean => /^[^"]*(?:"(?:[^"\\]|\\.)*"[^"]*)*"(?:[^"\\]|\\.)*\\?$/su.test(text);

const excerpt = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
