import type { FileSystem } from '#lib/vfs/file-system.ts';
import type { AnyToolDefinition } from '../registry.ts';
import type { ToolOutput } from '../tool.ts';

/** Runs a tool on arguments as a model writes them. */
export function runTool(
  tool: AnyToolDefinition,
  input: unknown,
  fileSystem: FileSystem,
  toolCallId = 'call',
): Promise<ToolOutput> {
  return tool.execute(tool.inputSchema.parse(input), {
    toolCallId,
    fileSystem,
    evaluator: { evaluate: async () => ({ console: [] }) },
    abortSignal: new AbortController().signal,
  });
}
