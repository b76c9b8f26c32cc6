import { defined } from '#lib/base/defined.ts';
import { filesThrough } from '#lib/tools/browser/browser-js-eval.ts';
import { type JavaScriptOutcome, lineText, valueText } from '#lib/tools/capabilities/rendered-value.ts';
import type { SandboxFiles } from '#lib/tools/capabilities/sandbox.ts';
import { externalTool } from '#lib/tools/catalogue/external-tool.ts';
import { type Tool, ToolDefinitionError } from '#lib/tools/core/tool.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { isReservedName } from '#lib/tools/tool-search/finders.ts';
import { PROJECT } from '#lib/tools/toolset-names.ts';
import type { FoundWorkspaceTool } from './find-workspace-tools.ts';
import type { WorkspaceToolFile } from './workspace-tool-file.ts';

interface WorkspaceToolOptions {
  /** The `contentHash` of the file as the person has allowed it. */
  hash: string;
  /** Checks, just before the tool runs, whether its file is still the one that the person has allowed. */
  isCurrent(): Promise<boolean>;
}

interface WorkspaceToolsOptions {
  /** Checks whether there is another tool with that name. */
  isTaken(name: string): boolean;
  /** Checks whether a file still has the content that the person has allowed. */
  isCurrent(path: string, hash: string): Promise<boolean>;
}

/** Makes tools from the files of a workspace. The same file content gives the same tool object. */
export class WorkspaceToolMaker {
  readonly #options: WorkspaceToolsOptions;
  /** The tools that were made, by the `contentHash` of their files. */
  readonly #made = new Map<string, Tool>();

  constructor(options: WorkspaceToolsOptions) {
    this.#options = options;
  }

  /** Returns the tool of a file, or the reason why it cannot be offered, as a sentence. */
  toolOf({ tool: file, hash }: FoundWorkspaceTool): Tool | string {
    const { isTaken, isCurrent } = this.#options;
    if (isReservedName(file.name) || isTaken(file.name)) return 'Another tool has this name. Rename the file.';
    try {
      const made = this.#made.get(hash) ?? workspaceTool(file, { hash, isCurrent: () => isCurrent(file.path, hash) });
      this.#made.set(hash, made);
      return made;
    } catch (error) {
      if (error instanceof ToolDefinitionError) return error.message;
      throw error;
    }
  }
}

/**
 * Makes a tool that can be registered from a file of the workspace. Its code runs in the sandbox of the thread that calls it,
 * and only while the file is as the person has allowed it. Throws `ToolDefinitionError` if its schema cannot be used.
 */
function workspaceTool(file: WorkspaceToolFile, { hash, isCurrent }: WorkspaceToolOptions): Tool {
  const { name, path, title, description, inputSchema, effect, timeout } = file;
  return externalTool({
    name,
    description,
    inputSchema,
    effect,
    toolset: PROJECT,
    needs: ['sandbox', 'files'],
    metadata: { ...defined({ title }), definition: hash, path },
    async execute(input, { sandbox, abortSignal, callTool }) {
      if (!(await isCurrent()))
        throw new ToolFailure(
          'denied',
          `Not run. ${path} is not as the user has allowed it. It can be used again once they allow it as it is now.`,
        );
      const files = filesThrough(callTool);
      try {
        const outcome = await sandbox.evaluate(codeOf(file, input), {
          abortSignal,
          timeoutMs: timeout * 1_000,
          shown: `${name}(${JSON.stringify(input)})`,
          files: effect === 'read' ? readOnly(files) : files,
        });
        return { content: contentOf(outcome) };
      } catch (error) {
        throw error instanceof ToolFailure ? inFile(error, path) : error;
      }
    },
  });
}

/** The time before the end of the time limit at which a tool's `signal` fires, in milliseconds. */
const WARNING_MS = 500;

/** Returns the code of a call. The file begins in its first line, so that lines in errors are those of the file. */
function codeOf({ body, timeout }: WorkspaceToolFile, input: unknown): string {
  const json = JSON.stringify(JSON.stringify(input));
  const signal = `AbortSignal.timeout(${timeout * 1_000 - WARNING_MS})`;
  return `await (async () => { 'use strict'; ${body}
const $result = await run(JSON.parse(${json}), { vfs, signal: ${signal} });
return typeof $result === 'string' || $result === undefined ? $result : JSON.stringify($result); })()`;
}

const readOnly = (files: SandboxFiles): SandboxFiles => ({
  ...files,
  write: () =>
    Promise.reject(new Error('This tool says that it only reads (effect: "read"), so it cannot write files.')),
});

/** Returns the text that the model gets: what the code printed, and what it returned. */
function contentOf({ console, value }: JavaScriptOutcome): string {
  const printed = console.map(lineText);
  const returned = value === undefined ? '' : value.type === 'string' ? value.text : valueText(value);
  const isCut = value?.type === 'string' && value.text.length < value.length;
  const note = `[Only the first ${returned.length} characters of the result are shown. Return less, or write it to a file.]`;
  const parts = [...printed, ...(returned === 'undefined' ? [] : [returned]), ...(isCut ? [note] : [])];
  return parts.length === 0 ? 'Done. It returned nothing.' : parts.join('\n');
}

/** Returns the failure with the file's path at each line number that its message names. */
const inFile = ({ code, message, files }: ToolFailure, path: string): ToolFailure =>
  new ToolFailure(code, message.replaceAll(/^(\s+at )line (\d+)/gm, `$1${path}:$2`), files);
