import { type ChildProcess, spawn } from 'node:child_process';
import { processJsEval } from '#lib/tools/browser/browser-js-eval.ts';
import { contentText } from '#lib/tools/core/content.ts';
import type { CallTool } from '#lib/tools/core/tool.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { NOTHING_KNOWN } from '#lib/tools/execution/known-files.ts';
import { listDirectory } from '#lib/tools/files/list-directory.ts';
import { readFile } from '#lib/tools/files/read-file.ts';
import { writeFile } from '#lib/tools/files/write-file.ts';
import { runTool, testCapabilities } from '#lib/tools/test/run-tool.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import type { StartProcess } from '../kernel-process.ts';
import { NODE_ARGUMENTS } from '../limits.ts';
import { ProcessSandbox } from '../process-sandbox.ts';

/** Options for running code; without a signal, nobody stops it. `timeout`: in seconds. */
interface RunOptions {
  timeout?: number;
  abortSignal?: AbortSignal;
  callTool?: CallTool;
}

const FILE_TOOLS = new Map([readFile, writeFile, listDirectory].map((tool) => [tool.name, tool]));

/** Starts a script with the Node that runs the tests. There is no confinement. */
export const startNode = (...given: string[]): ChildProcess =>
  spawn(process.execPath, given, { env: { NODE_ENV: 'test' } });

/** A sandbox whose processes and files tests can look at. */
export class OpenedSandbox {
  readonly files = new MemoryFileSystem();
  /** The processes that were started, oldest first. */
  readonly processes: ChildProcess[] = [];
  readonly sandbox: ProcessSandbox;
  readonly #ends: Promise<unknown>[] = [];
  #calls = 0;

  constructor(start: StartProcess = async (script) => startNode(...NODE_ARGUMENTS, script)) {
    this.sandbox = new ProcessSandbox({
      start: async (script) => {
        const child = await start(script);
        this.processes.push(child);
        this.#ends.push(new Promise((resolve) => child.once('close', resolve)));
        return child;
      },
    });
  }

  /** Runs code as a call of the tool. Returns what the model gets: the result's text, or `code: message` of the error. */
  async run(code: string, { timeout = 10, abortSignal, callTool = this.#callTool }: RunOptions = {}): Promise<string> {
    const hasRunBefore = this.#calls++ > 0;
    try {
      const { content } = await processJsEval.execute(
        { code, timeout },
        {
          ...testCapabilities(this.files, { sandbox: this.sandbox }),
          toolCallId: 'call',
          author: { type: 'call', toolCallId: 'call' },
          abortSignal: abortSignal ?? new AbortController().signal,
          known: NOTHING_KNOWN,
          earlierResults: () => [],
          report: () => undefined,
          offered: () => [],
          hasRunBefore: () => hasRunBefore,
          callTool,
        },
      );
      return contentText(content);
    } catch (error) {
      if (error instanceof ToolFailure) return `${error.code}: ${error.message}`;
      throw error;
    }
  }

  /** Resolves when a process has ended, with the signal that ended it. */
  async ended(index: number): Promise<NodeJS.Signals | null> {
    await this.#ends[index];
    return this.processes[index]?.signalCode ?? null;
  }

  readonly #callTool: CallTool = async (toolName, input) => {
    const call = { toolCallId: 'call/1', toolName };
    const tool = FILE_TOOLS.get(toolName);
    if (tool === undefined)
      return { ...call, type: 'tool-error', code: 'no-such-tool', message: `No tool ${toolName}.` };
    try {
      return { ...call, type: 'tool-result', output: await runTool(tool, input, this.files) };
    } catch (error) {
      return { ...call, type: 'tool-error', code: 'failed', message: error instanceof Error ? error.message : '' };
    }
  };
}
