import { processJsEval } from '#lib/tools/browser/browser-js-eval.ts';
import { processFragment } from '#lib/tools/browser/toolset.ts';
import type { Fragment } from '#lib/tools/catalogue/catalogue.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { bashTool } from '#lib/tools/files/execute-bash.ts';
import { diagnosticsTool } from '#lib/tools/files/get-diagnostics.ts';
import { folderFragment } from '#lib/tools/files/toolset.ts';
import { searchFragments } from '#lib/tools/tool-search/toolset.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { webFragment } from '#lib/tools/web/toolset.ts';
import { hasTypescriptServer } from '#lib/workspace/language-servers/typescript-server.ts';
import type { FolderConfig } from './config.ts';

/**
 * Returns the fragments, which are sections of the system prompt about toolsets, for the command line. One about the search
 * for tools is among them only if `tools` include the tools for that.
 */
export const fragmentsFor = (tools: readonly Pick<ToolSpec, 'toolset'>[]): readonly Fragment[] => [
  processFragment,
  folderFragment,
  webFragment,
  ...searchFragments(tools.map(({ toolset }) => toolset)),
];

const DIAGNOSTICS = 'get_diagnostics';

const WITH_PROGRAMS =
  'Runs a bash command in the folder, with the programs of the user’s machine, such as git, python3 or node where they are installed. ' +
  'Only files in the folder can be written, and there is no network. Use relative paths: the command starts in “cwd”, and in what it prints, “/” stands for the folder.';

const WITHOUT_PROGRAMS =
  'Runs a bash command on the files of the folder. It may use ls, cat, grep, sed, awk, find, sort, jq and the like, with pipes, ' +
  'loops and redirections. There is no network, and there are no other programs such as node, npm, python or git.';

/**
 * Returns the registry of the studio's tools for a folder. Its tools for code, commands, and checks are the versions that
 * run over a folder, not in a page. Without a language server, there is no tool for checks. `hasPrograms`: whether commands can
 * use the programs of the machine.
 */
export function folderTools(
  { limits: { commandSeconds, commandSecondsMax }, languageServers }: Pick<FolderConfig, 'limits' | 'languageServers'>,
  hasPrograms: boolean,
): ToolRegistry {
  const kinds = [
    ...(hasTypescriptServer() ? ['TypeScript', 'JavaScript'] : []),
    ...Object.values(languageServers).flatMap(({ files }) => files),
  ];
  const checked = kinds.join(', ');
  const own = new Map<string, Tool>(
    [
      processJsEval,
      diagnosticsTool({
        checks: `Checks ${checked} files with language servers, as editors do. Types are checked across files.`,
        kinds: `${checked} files`,
      }),
      bashTool({
        description: hasPrograms ? WITH_PROGRAMS : WITHOUT_PROGRAMS,
        timeoutSeconds: Math.min(commandSeconds, commandSecondsMax),
        maxTimeoutSeconds: commandSecondsMax,
      }),
    ].map((tool) => [tool.name, tool]),
  );
  const offered = toolRegistry.list().filter(({ name }) => kinds.length > 0 || name !== DIAGNOSTICS);
  return new ToolRegistry(offered.map((tool) => own.get(tool.name) ?? tool));
}
