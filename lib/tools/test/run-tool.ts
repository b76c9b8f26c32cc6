import type { FileSystem } from '#lib/vfs/file-system.ts';
import { createLocalSearch } from '#lib/workspace/search/local-search.ts';
import type { HostCapabilities } from '../capabilities/capabilities.ts';
import { contentText } from '../core/content.ts';
import type { Tool } from '../core/tool.ts';
import type { ToolOutput } from '../core/tool-call.ts';
import { type KnownFiles, NOTHING_KNOWN } from '../execution/known-files.ts';

/** Capabilities on a file system; code and commands return nothing unless a test says otherwise. */
export function testCapabilities(fileSystem: FileSystem, given: HostCapabilities = {}): Required<HostCapabilities> {
  return {
    files: fileSystem,
    sandbox: { evaluate: async () => ({ console: [] }) },
    search: createLocalSearch(fileSystem),
    diagnostics: { check: async () => ({ diagnostics: [], files: 0, hasMore: false }) },
    preview: {
      open: () => Promise.reject(new Error('no preview')),
      outline: () => Promise.reject(new Error('no preview')),
      console: async () => [],
    },
    web: {
      request: () => Promise.reject(new Error('no web')),
      read: () => Promise.reject(new Error('no web')),
    },
    documents: { open: () => Promise.reject(new Error('no documents')) },
    shell: { run: async () => ({ stdout: '', stderr: '', exitCode: 0 }) },
    ...given,
  };
}

/** Runs a tool with arguments as a model writes them; its content is returned as text. */
export async function runTool(
  tool: Tool,
  input: unknown,
  fileSystem: FileSystem,
  {
    toolCallId = 'call',
    known = NOTHING_KNOWN,
    ...given
  }: HostCapabilities & { toolCallId?: string; known?: KnownFiles } = {},
): Promise<Omit<ToolOutput, 'content'> & { content: string }> {
  const parsed = tool.parse(input);
  if (!parsed.success) throw new Error(JSON.stringify(parsed.issues));
  const output = await tool.execute(parsed.data, {
    ...testCapabilities(fileSystem, given),
    toolCallId,
    author: { type: 'call', toolCallId },
    abortSignal: new AbortController().signal,
    known,
    earlierResults: () => [],
    hasRunBefore: () => true,
    report: () => undefined,
    offered: () => [],
    callTool: () => Promise.reject(new Error('no other tool')),
  });
  return { ...output, content: contentText(output.content) };
}
