import { prefixesOf } from '#lib/commands/command-rules.ts';
import { definitionText } from '#lib/mcp/definition-text.ts';
import { reachedHosts } from '#lib/tools/core/reached-hosts.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import { isOwnToolset, serverOf } from '#lib/tools/toolset-names.ts';
import { type Answer, commandOf, cwdOf, type Question, type ToolChange } from '../permissions.ts';
import { describeCall, fullInput } from './call-words.ts';
import { colored, diffOf, proposedDiff } from './diff-view.ts';
import type { Lines } from './lines.ts';
import { harmless, inOneLine, type Output, styled, visible } from './terminal.ts';

/** Asks whether a call may run. Rejects with the signal's reason if it fires. */
export async function askAbout(
  { reader, output }: { reader: Pick<Lines, 'question'>; output: Output },
  { call, tool, onlyOnce, change }: { call: ToolCall; tool: Tool } & Question,
  abortSignal: AbortSignal,
): Promise<Answer> {
  if (change !== undefined) showChange(output, change);
  const { verb, target } = describeCall(call, tool);
  const command = commandOf(call, tool);
  const prefixes = command === undefined ? undefined : prefixesOf(command);
  const mayAlways = mayAllowAlways(call, tool, onlyOnce);
  const isLong = target.includes('\n');
  const title = `${verb} ${isLong ? inOneLine(target.split('\n', 1)[0] ?? '', output.columns - 30) : harmless(target)}`;
  output.write(`${styled(output, 'yellow', '?')} ${styled(output, 'bold', title)}\n`);
  const cwd = cwdOf(call, tool);
  if (cwd !== '/') output.write(`${styled(output, 'yellow', `in ${harmless(cwd)}`)}\n`);
  const hosts = reachedHosts(tool, call.input).join(', ');
  if (hosts !== '') output.write(`${styled(output, 'yellow', `sends a request to ${hosts}`)}\n`);
  const diff = proposedDiff(call, tool.presentation.input);
  const input = diff === undefined && !isNamedWhole(call, tool) ? fullInput(call, tool.presentation.input) : target;
  // Nothing is left out: the person decides about all of it. The mark tells it apart from what the program says.
  const whole = diff !== undefined ? colored(output, diff, WHOLE) : input === target && !isLong ? '' : harmless(input);
  const lines = whole === '' ? [] : whole.split('\n');
  for (const line of lines) output.write(`${styled(output, 'dim', '│')} ${line}\n`);
  if (lines.length > LINES_MAX)
    output.write(
      `${styled(output, 'bold', `${verb} ${inOneLine(target, output.columns - 30)}`)} (${lines.length} lines)\n`,
    );
  if (call.origin !== undefined) output.write(`${styled(output, 'yellow', FOREIGN)}\n`);
  const choices = [
    '[y] Allow once',
    ...(onlyOnce
      ? []
      : [
          `[s] Allow ${hosts !== '' ? `requests to ${hosts}` : command === undefined ? `all calls of ${tool.name}` : 'all commands'} in this session`,
        ]),
    ...(mayAlways
      ? [`[a] Always allow ${hosts !== '' ? `requests to ${hosts}` : alwaysOf(tool, prefixes)} in this folder`]
      : []),
    '[n] Deny',
  ];
  output.write(`${styled(output, 'dim', choices.join(' · '))}\n`);
  for (;;) {
    const answer = await reader.question('> ', { signal: abortSignal });
    if (answer === undefined) return NOBODY;
    switch (answer.trim().toLowerCase()) {
      case 'y':
      case 'yes':
        return { type: 'allow', scope: 'once' };
      case 's':
        if (!onlyOnce) return { type: 'allow', scope: 'session' };
        break;
      case 'a':
        if (mayAlways) return { type: 'allow', scope: 'always' };
        break;
      case 'n':
      case 'no': {
        const said = await reader.question('Reason for the model (optional): ', { signal: abortSignal });
        const reason = said?.trim() ?? '';
        return {
          type: 'deny',
          reason: reason === '' ? 'The user did not allow it.' : `The user did not allow it: ${reason}`,
        };
      }
      default:
    }
    output.write('Answer with one of the letters.\n');
  }
}

/** Shows how a tool's server describes it, or what it has changed: all of it, because the person decides about all of it. */
function showChange(output: Output, { before, now }: ToolChange): void {
  const text = visible(definitionText(now));
  const diff = before === undefined ? undefined : diffOf(visible(definitionText(before)), text);
  output.write(
    before === undefined
      ? 'You have not permanently allowed this tool. Its server describes it as follows:\n'
      : `${styled(output, 'yellow', 'The server has changed this tool since you allowed it:')}\n`,
  );
  for (const line of (diff === undefined ? text : colored(output, diff, WHOLE)).split('\n'))
    output.write(`${styled(output, 'dim', '│')} ${line}\n`);
  if (now.isDestructive) output.write(`${styled(output, 'yellow', 'The server says that this can’t be undone.')}\n`);
}

/** Whether the title of a question has all arguments of a call. */
function isNamedWhole({ input }: Pick<ToolCall, 'input'>, { presentation }: Pick<Tool, 'presentation'>): boolean {
  const names = presentation.names ?? [];
  return Object.keys(input ?? {}).every((name) => names.includes(name));
}

/** What is allowed from now on, in words. */
function alwaysOf(tool: Tool, prefixes: readonly string[] | undefined): string {
  if (prefixes === undefined) return `calls of ${tool.name}`;
  const shown = prefixes.slice(0, PREFIXES_MAX).map((prefix) => `“${harmless(prefix)}”`);
  const more = prefixes.length - shown.length;
  return `commands that begin with ${shown.join(' or ')}${more > 0 ? ` or ${more} others` : ''}`;
}

/** From how many lines on what a call does is repeated below them. */
const LINES_MAX = 10;

/** How many beginnings of commands are named. */
const PREFIXES_MAX = 5;

/** Whether a call can be allowed from now on: a question about a folder below tells little about the others. */
function mayAllowAlways(call: ToolCall, tool: Tool, onlyOnce: boolean): boolean {
  const command = commandOf(call, tool);
  // The settings know only a tool's name. What one from elsewhere does may be another thing next time, unless it is kept how it
  // was allowed, as for those of servers.
  const isKept = isOwnToolset(tool.toolset) || serverOf(tool.toolset) !== undefined;
  if (onlyOnce || !isKept) return false;
  return command === undefined || (cwdOf(call, tool) === '/' && prefixesOf(command) !== undefined);
}

const WHOLE = { lines: Number.POSITIVE_INFINITY, columns: Number.POSITIVE_INFINITY };

const NOBODY: Answer = { type: 'deny', reason: 'The user ended the input without an answer.' };

const FOREIGN = 'Its text comes from a file or a result. Allow it only if you want exactly this.';
