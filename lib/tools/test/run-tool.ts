import { createLocalSearch } from '#lib/search/local-search.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { type KnownFiles, NOTHING_KNOWN } from '../core/known-files.ts';
import type { AnyToolDefinition } from '../core/registry.ts';
import type { ToolCapabilities, ToolOutput } from '../core/tool.ts';

/** Capabilities on a file system; code and commands return nothing unless a test says otherwise. */
export function testCapabilities(fileSystem: FileSystem, given: Partial<ToolCapabilities> = {}): ToolCapabilities {
  return {
    fileSystem,
    evaluator: { evaluate: async () => ({ console: [] }) },
    search: createLocalSearch(fileSystem),
    diagnostics: { check: async () => ({ diagnostics: [], files: 0, hasMore: false }) },
    preview: {
      open: () => Promise.reject(new Error('no preview')),
      outline: () => Promise.reject(new Error('no preview')),
      console: async () => [],
    },
    shell: { run: async () => ({ stdout: '', stderr: '', exitCode: 0 }) },
    ...given,
  };
}

/** Runs a tool with arguments as a model writes them. */
export function runTool(
  tool: AnyToolDefinition,
  input: unknown,
  fileSystem: FileSystem,
  {
    toolCallId = 'call',
    known = NOTHING_KNOWN,
    ...given
  }: Partial<ToolCapabilities> & { toolCallId?: string; known?: KnownFiles } = {},
): Promise<ToolOutput> {
  return tool.execute(tool.inputSchema.parse(input), {
    ...testCapabilities(fileSystem, given),
    toolCallId,
    author: { type: 'call', toolCallId },
    abortSignal: new AbortController().signal,
    known,
    earlierResults: () => [],
    callTool: () => Promise.reject(new Error('no other tool')),
  });
}
