import type { ToolResult } from '../core/tool-call.ts';

/** A call in the ledger: the executor that claimed it and, once the call has ended, its result. */
export interface LedgerEntry {
  toolCallId: string;
  /** The executor that claimed the call; every page load has a new one. */
  claimant: string;
  result?: ToolResult;
}

/**
 * The ledger: records, by call id, which executor has claimed a call, and the call's result. Each method is one transaction,
 * complete when it resolves.
 */
export interface CallLedger {
  /** The call's entry; undefined if no executor has claimed the call. */
  get(toolCallId: string): Promise<LedgerEntry | undefined>;
  /**
   * Compare-and-set: stores `entry` only if the call's current claimant is `expected` (undefined: none) and it has
   * no result. Returns whether it was stored.
   */
  claim(entry: LedgerEntry, expected: string | undefined): Promise<boolean>;
  /** Stores the result if `claimant` still holds the call and there is none yet; returns the stored result, if any. */
  finish(result: ToolResult, claimant: string): Promise<ToolResult | undefined>;
}
