import type { ToolResult } from '../core/tool-call.ts';
import type { CallLedger, LedgerEntry } from './ledger.ts';

/**
 * A ledger in memory that forgets each call when it has ended, for calls whose ids are never used again. Every claim succeeds,
 * and `finish` returns the given result.
 */
export class PassingLedger implements CallLedger {
  readonly #entries = new Map<string, LedgerEntry>();

  async get(toolCallId: string): Promise<LedgerEntry | undefined> {
    return this.#entries.get(toolCallId);
  }

  async claim(entry: LedgerEntry): Promise<boolean> {
    this.#entries.set(entry.toolCallId, entry);
    return true;
  }

  async finish(result: ToolResult): Promise<ToolResult | undefined> {
    this.#entries.delete(result.toolCallId);
    return result;
  }
}
