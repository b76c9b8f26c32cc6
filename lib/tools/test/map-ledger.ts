import type { ToolResult } from '../core/tool-call.ts';
import type { CallLedger, LedgerEntry } from '../execution/ledger.ts';

/** A ledger in memory. The ledgers of threads are tested in lib/threads/test/store-contract.ts. */
export class MapLedger implements CallLedger {
  readonly entries = new Map<string, LedgerEntry>();

  async get(toolCallId: string): Promise<LedgerEntry | undefined> {
    return this.entries.get(toolCallId);
  }
  async claim(entry: LedgerEntry, expected: string | undefined): Promise<boolean> {
    const present = this.entries.get(entry.toolCallId);
    if (present?.claimant !== expected || present?.result !== undefined) return false;
    this.entries.set(entry.toolCallId, entry);
    return true;
  }
  async finish(result: ToolResult, claimant: string): Promise<ToolResult | undefined> {
    const present = this.entries.get(result.toolCallId);
    if (present?.claimant !== claimant || present.result !== undefined) return present?.result;
    this.entries.set(result.toolCallId, { ...present, result });
    return result;
  }
}
