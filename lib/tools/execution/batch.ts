import type { ToolCall, ToolResult } from '../core/tool-call.ts';
import type { CallSignals, ToolExecutor } from './executor.ts';
import type { ToolHost } from './host.ts';

/**
 * Executes the calls of one step (rule R7): in parallel if all of them only read, otherwise one after the other in the
 * order written. `onResult` is called with each result as it arrives; resolves with all results in the order of the
 * calls. Rejects if the executor does.
 */
export async function executeBatch(
  calls: readonly ToolCall[],
  options: {
    executor: ToolExecutor;
    host: Pick<ToolHost, 'get'>;
    signals: CallSignals;
    onResult(result: ToolResult): void;
  },
): Promise<ToolResult[]> {
  const { executor, host, signals, onResult } = options;
  const executeOne = async (call: ToolCall): Promise<ToolResult> => {
    const result = await executor.execute(call, signals);
    onResult(result);
    return result;
  };
  const onlyReads = calls.every((call) => host.get(call.toolName)?.effect === 'read');
  if (onlyReads) return Promise.all(calls.map(executeOne));
  const results: ToolResult[] = [];
  for (const call of calls) results.push(await executeOne(call));
  return results;
}
