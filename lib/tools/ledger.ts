import type { ToolResult } from './tool.ts';

/** What the ledger knows of a call: claimed by an executor, and, once it ended, its result. */
export interface LedgerEntry {
  toolCallId: string;
  /** The executor that claimed it; a new one for every page load. */
  claimant: string;
  result?: ToolResult;
}

/** Durable memory of what has run, by call id. Each method is one transaction, complete when it resolves. */
export interface CallLedger {
  get(toolCallId: string): Promise<LedgerEntry | undefined>;
  /**
   * Compare-and-set: stores `entry` only if the call's present claimant is `expected` (undefined: none) and it has
   * no result. Returns whether it was stored.
   */
  claim(entry: LedgerEntry, expected: string | undefined): Promise<boolean>;
  /** Stores the result if `claimant` still holds the call and it has none; returns the result that stands, if any. */
  finish(result: ToolResult, claimant: string): Promise<ToolResult | undefined>;
}
