import type { Tool } from '#lib/tools/core/tool.ts';
import { isBuiltInToolset, PROJECT, sourceOf } from '#lib/tools/toolset-names.ts';
import { LocalFolder } from '../local-folder.ts';
import { openServers } from '../servers/open-servers.ts';
import { openTrust } from '../trust/open-trust.ts';
import type { PinnedTools } from '../trust/pinned-tools.ts';
import { shownPath } from '../workspace-tools/workspace-tools.ts';
import type { Arguments } from './arguments.ts';
import { EXIT, UsageError } from './exit-codes.ts';
import { showChange } from './question.ts';
import { harmless, inOneLine, type Output, outputOf, styled } from './terminal.ts';
import { showWorkspaceTool } from './workspace-tool-question.ts';
import { agrees } from './yes-no.ts';

/** The external tools, and what the person has said about them. */
interface ExternalTools {
  folder: LocalFolder;
  trust: PinnedTools;
  /** The tools by name, including those of the folder that are not offered. */
  tools: ReadonlyMap<string, Tool>;
}

/**
 * Shows the external tools, allows some of them as they are now, or withdraws such permissions. Resolves with the exit code.
 * Rejects with errors whose messages are for people.
 */
export async function tools(given: Arguments, directory: string): Promise<number> {
  const { env, stderr, stdout } = process;
  const [action, ...names] = given.words;
  if (action !== undefined && action !== 'allow' && action !== 'forget')
    throw new UsageError(`There is no “tools ${action}”. There are: tools, tools allow NAME…, tools forget NAME…`);
  if (action !== undefined && names.length === 0) throw new UsageError(`tools ${action}: name at least one tool.`);
  const progress = outputOf(stderr, env);
  const onNotice = (text: string) => progress.write(`${styled(progress, 'yellow', harmless(text))}\n`);
  const folder = await LocalFolder.open({ ...given, directory, env, onNotice });
  const servers = await openServers({ ...given, folder, env, asksForms: false, onNotice }).catch(
    async (error: unknown) => {
      await folder.close();
      throw error;
    },
  );
  try {
    await folder.workspaceTools.load();
    const external = { folder, trust: openTrust(folder, servers, { env, onNotice }), tools: toolsOf(folder) };
    if (action === undefined) list(external, outputOf(stdout, env));
    else {
      const named = names.map((name) => findTool(external, name));
      for (const tool of named) {
        if (action === 'forget') forget(external, tool, progress);
        else if (!(await allow(external, tool, progress, given.isYes))) return EXIT.failed;
      }
    }
    return EXIT.done;
  } finally {
    await servers?.close();
    await folder.close();
  }
}

function toolsOf({ registry, workspaceTools }: LocalFolder): ReadonlyMap<string, Tool> {
  const all = [...registry.list(), ...workspaceTools.contents.tools.map(({ made }) => made)];
  return new Map(all.filter(({ toolset }) => !isBuiltInToolset(toolset)).map((tool) => [tool.name, tool]));
}

function findTool({ tools, folder }: ExternalTools, name: string): Tool {
  const tool = tools.get(name);
  if (tool !== undefined) return tool;
  const problem = folder.workspaceTools.contents.problems.find(({ path }) => path.endsWith(`/${name}.js`));
  if (problem !== undefined)
    throw new UsageError(`${name} cannot be used. ${shownPath(problem.path)}: ${problem.reason}`);
  const known = tools.size === 0 ? 'There are none here.' : `There are: ${[...tools.keys()].join(', ')}.`;
  throw new UsageError(`No external tool is called ${name}. ${known}`);
}

function list({ tools, ...external }: ExternalTools, output: Output): void {
  if (tools.size === 0) output.write('There are no external tools.\n');
  for (const tool of tools.values()) {
    const { name, toolset, effect, description } = tool;
    const from = toolset === PROJECT ? 'this folder' : sourceOf(toolset)?.name;
    output.write(`${styled(output, 'bold', name)} (${from}, ${effect}): ${stateOf(external, tool)}\n`);
    output.write(`  ${inOneLine(description, DESCRIPTION_COLUMNS)}\n`);
  }
}

/** The maximum width of a description, in columns. */
const DESCRIPTION_COLUMNS = 200;

/** Describes whether a tool is offered and allowed, or asks before each call. */
function stateOf({ folder, trust }: Omit<ExternalTools, 'tools'>, tool: Tool): string {
  const own = tool.toolset === PROJECT ? ownOf(folder, tool) : undefined;
  if (own?.state === 'waiting') return 'not offered: you have not allowed its file as it is';
  if (own?.state === 'refused') return 'not offered: you have refused its file as it is';
  if (tool.destructive === true) return 'asks each time, because what it does can’t be undone';
  if (trust.isKnown(tool) === true) return 'allowed';
  if (trust.changeOf(tool)?.before !== undefined) return 'asks, because it has changed since you allowed it';
  return tool.effect === 'read' ? 'follows permissions.read' : 'asks';
}

const ownOf = ({ workspaceTools }: LocalFolder, { name }: Tool) =>
  workspaceTools.contents.tools.find(({ tool }) => tool.name === name);

/**
 * Shows a tool, and allows it if the person agrees, or without asking if `isYes`. Resolves with whether it is allowed from now
 * on. Rejects with `UsageError` if nobody can be asked, and for a tool that asks each time.
 */
async function allow({ folder, trust }: ExternalTools, tool: Tool, output: Output, isYes: boolean): Promise<boolean> {
  const { stdin, stderr } = process;
  const canAsk = stdin.isTTY === true && stderr.isTTY === true;
  if (!canAsk && !isYes)
    throw new UsageError('Nobody can be asked here whether to allow it. Use --yes to allow it without a question.');
  if (tool.destructive === true)
    throw new UsageError(`${tool.name} asks each time, because what it does can’t be undone. It cannot be allowed.`);
  const own = tool.toolset === PROJECT ? ownOf(folder, tool) : undefined;
  const change = trust.changeOf(tool);
  if (own !== undefined)
    showWorkspaceTool(output, own, own.state === 'waiting' ? folder.workspaceTools.before(own) : undefined);
  else if (change !== undefined) showChange(output, tool, change);
  if (!isYes && !(await agrees(`Allow ${tool.name} as it is, without a question?`))) return false;
  if (own !== undefined) folder.workspaceTools.answer(own, true);
  const isKept = trust.remember(tool);
  if (isKept) output.write(`${tool.name} is allowed in this folder, as it is now.\n`);
  return isKept;
}

function forget({ folder, trust }: ExternalTools, tool: Tool, output: Output): void {
  const own = tool.toolset === PROJECT ? ownOf(folder, tool) : undefined;
  if (own !== undefined) folder.workspaceTools.forget(own);
  trust.forget(tool);
  output.write(`${tool.name} is no longer allowed.\n`);
}
