import { saysOwnNetwork } from '#lib/base/own-network.ts';
import { prefixesOf } from '#lib/confinement/commands/command-rules.ts';
import { definitionText } from '#lib/sources/mcp/definition-text.ts';
import { callDiff } from '#lib/tools/core/call-diff.ts';
import { presentedArguments } from '#lib/tools/core/presentation.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import { reachedHosts } from '#lib/tools/egress/reached-hosts.ts';
import { sourceOf, TOOL_SERVER } from '#lib/tools/toolset-names.ts';
import type { CallProposal } from '#lib/workspace/review/call-proposal.ts';
import { type Answer, commandOf, cwdOf, type Question, type ToolChange } from '../permissions.ts';
import { askedChanges } from './asked-changes.ts';
import { describeCall, namedArguments } from './call-words.ts';
import { colored, diffOf, WHOLE } from './diff-view.ts';
import type { Lines } from './lines.ts';
import { escapeInvisible, harmless, inOneLine, type Output, styled } from './terminal.ts';

/**
 * Shows a call with its arguments and the changes that it would make (`proposal`), and asks whether it may run. `change`: the
 * definition of an external tool that is new or has changed, which is shown first. `onlyOnce`: whether only this call can be
 * allowed, not others like it. The end of the input counts as a denial. Rejects with the signal's reason if it fires.
 */
export async function askAbout(
  { reader, output }: { reader: Pick<Lines, 'question'>; output: Output },
  { call, tool, onlyOnce, change, proposal }: { call: ToolCall; tool: Tool } & Question,
  abortSignal: AbortSignal,
): Promise<Answer> {
  if (change !== undefined) showChange(output, tool, change);
  const { verb, target } = describeCall(call, tool);
  const command = commandOf(call, tool);
  const prefixes = command === undefined ? undefined : prefixesOf(command);
  const mayAlways = mayAllowAlways(call, tool, onlyOnce);
  const isLong = target.includes('\n');
  const title = `${verb} ${isLong ? inOneLine(escapeInvisible(target.split('\n', 1)[0] ?? ''), output.columns - 30) : escapeInvisible(target)}`;
  output.write(`${styled(output, 'yellow', '?')} ${styled(output, 'bold', title)}\n`);
  const cwd = cwdOf(call, tool);
  if (cwd !== '/') output.write(`${styled(output, 'yellow', `in ${harmless(cwd)}`)}\n`);
  const reached = reachedHosts(tool, call.input);
  const hosts = reached.join(', ');
  const places = reached.map((host) => (saysOwnNetwork(host) ? `${host} (on your network)` : host)).join(', ');
  if (hosts !== '') output.write(`${styled(output, 'yellow', `sends a request to ${places}`)}\n`);
  if (proposal?.problem !== undefined)
    output.write(
      `${styled(output, 'yellow', `If you allow this call, it will fail: ${inOneLine(proposal.problem, output.columns - 45)}`)}\n`,
    );
  // Nothing is left out: the person decides about all of it. The mark tells it apart from what the program says.
  const lines = linesOf(output, { call, tool, proposal, isNamed: !isLong });
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
    '[v] View the whole call',
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
      case 'v':
        for (const line of wholeCall(call).split('\n')) output.write(`${styled(output, 'dim', '│')} ${line}\n`);
        continue;
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

/**
 * Returns lines about a call: its changes to files, if it has any, and the arguments that are shown neither there nor in the
 * title. Returns no lines if the title says all of it. `isNamed`: whether the title shows the values of `namedArguments` in
 * full.
 */
function linesOf(
  output: Output,
  {
    call,
    tool,
    proposal,
    isNamed,
  }: { call: ToolCall; tool: Tool; proposal: CallProposal | undefined; isNamed: boolean },
): string[] {
  const { presentation } = tool;
  const input = new Map(Object.entries(call.input ?? {}));
  const names = isNamed ? namedArguments(presentation).filter((name) => typeof input.get(name) === 'string') : [];
  if (proposal !== undefined && proposal.files.length + proposal.uncompared.length > 0) {
    const covered = new Set(presentedArguments({ ...presentation, names }));
    return [...askedChanges(output, proposal), ...othersOf(input, covered)];
  }
  const view = presentation.input;
  const found = view?.as === 'diff' ? callDiff(view, input) : undefined;
  if (found !== undefined)
    return [
      ...colored(output, found.diff, WHOLE).split('\n'),
      ...othersOf(input, new Set([...names, ...found.covers])),
    ];
  const shown = view === undefined || view.as === 'diff' ? undefined : input.get(view.argument);
  const isTitle = shown !== undefined && names.includes(view?.argument ?? '') && !String(shown).includes('\n');
  const whole = typeof shown === 'string' && !isTitle ? escapeInvisible(shown).split('\n') : [];
  const covered = new Set([...names, ...(shown === undefined ? [] : [view?.argument ?? ''])]);
  return [...whole, ...othersOf(input, covered)];
}

/** Returns lines with the names and values of a call's arguments, except for those that are shown already (`covered`). */
const othersOf = (input: ReadonlyMap<string, unknown>, covered: ReadonlySet<string>): string[] =>
  [...input].flatMap(([name, value]) =>
    covered.has(name)
      ? []
      : escapeInvisible(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`).split('\n'),
  );

/** The name and the arguments of a call, as JSON. */
const wholeCall = ({ toolName, input }: ToolCall): string =>
  escapeInvisible(JSON.stringify({ name: toolName, arguments: input }, null, 2));

/** Shows the definition of an external tool, or how it differs from the one that the person allowed. Nothing is left out. */
export function showChange(output: Output, { toolset }: Pick<Tool, 'toolset'>, { before, now }: ToolChange): void {
  const isOfServer = sourceOf(toolset)?.kind === TOOL_SERVER;
  const text = escapeInvisible(definitionText(now));
  const diff = before === undefined ? undefined : diffOf(escapeInvisible(definitionText(before)), text);
  output.write(
    before === undefined
      ? `You have not permanently allowed this tool. ${isOfServer ? 'Its server describes it' : 'It is described'} as follows:\n`
      : `${styled(output, 'yellow', isOfServer ? 'The server has changed this tool since you allowed it:' : 'This tool has changed since you allowed it:')}\n`,
  );
  for (const line of (diff === undefined ? text : colored(output, diff, WHOLE)).split('\n'))
    output.write(`${styled(output, 'dim', '│')} ${line}\n`);
  if (now.isDestructive) output.write(`${styled(output, 'yellow', 'What it does can’t be undone.')}\n`);
}

/** Describes what the answer “always” allows: calls of the tool, or commands that begin with one of the prefixes. */
function alwaysOf(tool: Tool, prefixes: readonly string[] | undefined): string {
  if (prefixes === undefined) return `calls of ${tool.name}`;
  const shown = prefixes.slice(0, PREFIXES_MAX).map((prefix) => `“${harmless(prefix)}”`);
  const more = prefixes.length - shown.length;
  return `commands that begin with ${shown.join(' or ')}${more > 0 ? ` or ${more} others` : ''}`;
}

/** The number of lines of a question above which its title is repeated below them. */
const LINES_MAX = 10;

/** The maximum number of prefixes of commands that are named. */
const PREFIXES_MAX = 5;

/**
 * Checks whether the person can answer “always”. They cannot for a call that can only be allowed once, for a command in a
 * subfolder, which says little about other folders, or for a command without usable prefixes.
 */
function mayAllowAlways(call: ToolCall, tool: Tool, onlyOnce: boolean): boolean {
  const command = commandOf(call, tool);
  if (onlyOnce) return false;
  return command === undefined || (cwdOf(call, tool) === '/' && prefixesOf(command) !== undefined);
}

const NOBODY: Answer = { type: 'deny', reason: 'The user ended the input without an answer.' };

const FOREIGN = 'Its text comes from a file or a result. Allow it only if you want exactly this.';
