import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { giveSigns, isRunning, readOwner, self } from '#lib/base/processes/owner.ts';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, Message, UserMessage } from '#lib/messages/message.ts';
import { fromLines, ImportError, readLine } from '#lib/threads/openai-jsonl.ts';
import {
  type OpenAiLine,
  stepsOf,
  toClaimLine,
  toResultLine,
  toStepLine,
  toUserLine,
} from '#lib/threads/openai-lines.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { CallLedger, LedgerEntry } from '#lib/tools/execution/ledger.ts';
import { JsonLinesFile } from '#lib/vfs/disk/json-lines-file.ts';

/** Thrown for a session that cannot be used; the message says why, and what to do. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
}

/** A call of the session. */
interface KnownCall {
  /** The name of the call's tool, which is in the lines of the call's claim and result. */
  toolName: string;
  /** The call's entry in the ledger; undefined if it has neither a claim nor a result. */
  entry: LedgerEntry | undefined;
}

/**
 * A conversation in a file of JSON Lines, which is also the ledger of its calls: `get` returns a call's entry; `claim` records
 * the executor that runs the call, if `expected` was the one before (undefined: none); `finish` stores the result, if
 * `claimant` still has the call and there is no result. Lines are added, and on disk, as things happen: each step before its
 * calls run, each claim before its call runs, and each result. So whatever ends the process, the file can be opened again. One
 * process at a time uses a session.
 */
export class SessionFile implements CallLedger {
  readonly path: string;
  readonly systemPrompt: string;
  /** The number of lines that were dropped when the file was opened: 1 if the last line had been cut off, otherwise 0. */
  readonly dropped: number;
  readonly #file: JsonLinesFile;
  readonly #endSigns: () => void;
  readonly #calls = new Map<string, KnownCall>();
  #messages: Message[];
  /** The number of steps of each turn that are in the file. */
  readonly #written = new Map<string, number>();
  /** Whether the file has claims, which `tidy` drops once their results have followed. */
  #hasClaims = false;

  /**
   * Opens a session, or begins one if the file is missing or empty. `systemPrompt`: the system prompt of a new session.
   * Throws `SessionError` if the file cannot be read as a session, or another process uses it, and Node's errors if the disk
   * fails.
   */
  static open(path: string, systemPrompt: string): SessionFile {
    mkdirSync(dirname(path), { recursive: true });
    lock(path);
    try {
      return new SessionFile(path, systemPrompt);
    } catch (error) {
      rmSync(lockOf(path), { force: true });
      throw error;
    }
  }

  private constructor(path: string, systemPrompt: string) {
    this.path = path;
    this.#file = new JsonLinesFile(path);
    const { lines, broken, isCut } = this.#file.read();
    const [firstBroken] = broken;
    if (firstBroken !== undefined && !(isCut && broken.length === 1))
      throw new SessionError(`${path}: line ${firstBroken} is not valid JSON. Correct or delete it.`);
    this.dropped = broken.length;
    if (isCut) this.#file.dropCutLine();
    const read = lines.map(({ value, number }) => this.#lineOf(value, number));
    const claims = claimsIn(read.map(({ line }) => line));
    const known = read.length === 0 ? { nodes: [], systemPrompt: null } : this.#conversation(read);
    this.#messages = known.nodes.map(({ message }) => withoutClaimed(message, claims.open));
    this.systemPrompt = known.systemPrompt ?? (read.length === 0 ? systemPrompt : '');
    this.#hasClaims = claims.all > 0;
    for (const message of this.#messages) if (message.role === 'assistant') this.#remember(message, claims.open);
    if (read.length === 0 && systemPrompt.trim() !== '') this.#file.append([{ role: 'system', content: systemPrompt }]);
    this.#endSigns = giveSigns(lockOf(path));
  }

  /** The messages, oldest first. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The turn at the end, if it still has something to do: pending calls, or results that the model has not seen. */
  get unfinished(): AssistantMessage | undefined {
    const last = this.#messages.at(-1);
    if (last?.role !== 'assistant') return undefined;
    const step = stepsOf(last).at(-1);
    return (step?.parts ?? []).some(({ type }) => type === 'tool-call') ? last : undefined;
  }

  /** Adds the user's message. */
  addMessage(message: UserMessage): void {
    this.#file.append([toUserLine(message)]);
    this.#messages = [...this.#messages, message];
  }

  /**
   * Adds the steps of a turn that are not in the file yet, and the results that their calls have already. Results that come
   * later are added by `finish`.
   */
  saveTurn(turn: AssistantMessage): void {
    const steps = saidSteps(turn);
    if (steps.length === 0) return;
    const others = this.#messages.filter(({ id }) => id !== turn.id);
    this.#messages = [...others, turn];
    const written = this.#written.get(turn.id) ?? 0;
    const lines = steps.slice(written).flatMap((step) => {
      const compactions = step.compactions.filter(({ failed }) => failed === undefined);
      const line = toStepLine(turn, { ...step, compactions }, this.#messages);
      // Calls of the last allowed step have a result without having run.
      const results = step.parts.filter(
        (part) => part.type === 'tool-call' && part.result !== undefined && !this.#calls.has(part.toolCallId),
      );
      return line === undefined
        ? []
        : [line, ...results.map((part) => toResultLine(part as Parameters<typeof toResultLine>[0]))];
    });
    this.#file.append(lines);
    this.#written.set(turn.id, steps.length);
    this.#remember(turn, new Map());
  }

  /** Drops claims whose results have followed, so that the file has one line for each result. */
  tidy(): void {
    if (!this.#hasClaims) return;
    const lines = this.#file.read().lines.map(({ value }) => value as OpenAiLine);
    const claims = claimsIn(lines);
    const kept = lines.filter(
      (line) => claimOf(line) === undefined || claims.open.has(claimOf(line)?.toolCallId ?? ''),
    );
    if (kept.length < lines.length) replaceFile(this.path, kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
    this.#file.close();
    this.#hasClaims = claims.open.size > 0;
  }

  async get(toolCallId: string): Promise<LedgerEntry | undefined> {
    return this.#calls.get(toolCallId)?.entry;
  }

  async claim(entry: LedgerEntry, expected: string | undefined): Promise<boolean> {
    const { toolCallId, claimant } = entry;
    const call = this.#calls.get(toolCallId);
    if (call === undefined || call.entry?.claimant !== expected || call.entry?.result !== undefined) return false;
    this.#file.append([toClaimLine({ toolCallId, toolName: call.toolName }, claimant)]);
    this.#hasClaims = true;
    this.#calls.set(toolCallId, { ...call, entry });
    return true;
  }

  async finish(result: ToolResult, claimant: string): Promise<ToolResult | undefined> {
    const { toolCallId } = result;
    const call = this.#calls.get(toolCallId);
    if (call?.entry?.claimant !== claimant || call.entry.result !== undefined) return call?.entry?.result;
    this.#file.append([
      toResultLine({ type: 'tool-call', toolCallId, toolName: call.toolName, inputState: 'complete', result }),
    ]);
    this.#calls.set(toolCallId, { ...call, entry: { ...call.entry, result } });
    return result;
  }

  /** Ends the use of the session by this process. */
  close(): void {
    this.#endSigns();
    this.#file.close();
    rmSync(lockOf(this.path), { force: true });
  }

  #lineOf(value: unknown, number: number): { line: OpenAiLine; number: number } {
    try {
      return readLine(value, number);
    } catch (error) {
      throw error instanceof ImportError ? new SessionError(`${this.path}: ${error.message}`) : error;
    }
  }

  #conversation(lines: readonly { line: OpenAiLine; number: number }[]): ReturnType<typeof fromLines> {
    // A session that has only just begun has no messages.
    if (lines.every(({ line }) => line.role === 'system'))
      return { nodes: [], systemPrompt: lines.map(({ line }) => line.content).join('\n\n') };
    try {
      return fromLines(lines, { keepsIds: true });
    } catch (error) {
      throw error instanceof ImportError ? new SessionError(`${this.path}: ${error.message}`) : error;
    }
  }

  #remember(turn: AssistantMessage, claims: ReadonlyMap<string, string>): void {
    this.#written.set(turn.id, saidSteps(turn).length);
    for (const part of turn.parts) {
      if (part.type !== 'tool-call' || this.#calls.has(part.toolCallId)) continue;
      const { toolCallId, toolName, result } = part;
      const claimant = claims.get(toolCallId);
      const entry =
        result !== undefined
          ? { toolCallId, claimant: claimant ?? '', result }
          : claimant === undefined
            ? undefined
            : { toolCallId, claimant };
      this.#calls.set(toolCallId, { toolName, entry });
    }
  }
}

/** The steps of a turn. Leaves out a last step that has nothing but a summary made for it so far. */
const saidSteps = (turn: AssistantMessage) =>
  stepsOf(turn).filter(({ step, parts }) => step !== undefined || parts.length > 0);

function claimOf(line: OpenAiLine): { toolCallId: string; claimant: string } | undefined {
  if (line.role !== 'tool' || line.roundtrip?.type !== 'claim') return undefined;
  return { toolCallId: line.tool_call_id, claimant: line.roundtrip.claimant };
}

/** Counts the claims in lines (`all`), and finds the claimants of those without a result (`open`), by the ids of the calls. */
function claimsIn(lines: readonly OpenAiLine[]): { all: number; open: Map<string, string> } {
  const open = new Map<string, string>();
  let all = 0;
  for (const line of lines) {
    const claim = claimOf(line);
    if (claim !== undefined) {
      all++;
      open.set(claim.toolCallId, claim.claimant);
    } else if (line.role === 'tool') open.delete(line.tool_call_id);
  }
  return { all, open };
}

/**
 * Returns a message in which the calls in `claims` have no result. Their claims read as results, but what became of these calls
 * is still to be found out.
 */
function withoutClaimed(message: Message, claims: ReadonlyMap<string, string>): Message {
  if (message.role === 'user') return message;
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-call' || !claims.has(part.toolCallId)) return part;
    const { result: _, ...call } = part;
    return call;
  });
  const turn = { ...message, parts };
  return pendingCalls(turn).length > 0 ? { ...turn, status: { type: 'waiting' } } : turn;
}

function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  const fd = openSync(draft, 'r');
  fsyncSync(fd);
  closeSync(fd);
  renameSync(draft, path);
}

const lockOf = (path: string): string => `${path}.lock`;

/** Takes a session for this process. Throws `SessionError` if another one uses it. */
function lock(path: string): void {
  const place = lockOf(path);
  for (let tries = 0; tries < 2; tries++) {
    const draft = `${place}-${self.pid}`;
    try {
      // Linked, so that it is never there without its content.
      writeFileSync(draft, JSON.stringify(self), { mode: 0o600 });
      linkSync(draft, place);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const holder = readOwner(place);
    if (holder !== undefined && isRunning(holder, place)) throw inUse(path, holder.pid);
    if (existsSync(place)) removeStale(path);
  }
  throw inUse(path);
}

const inUse = (path: string, pid?: number): SessionError =>
  new SessionError(
    `${path} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}. End that first, or begin another session.`,
  );

/**
 * Removes the lock of a process that has ended. Throws `SessionError` if another process has taken the session in the meantime.
 */
function removeStale(path: string): void {
  const place = lockOf(path);
  const aside = `${place}-${self.pid}-old`;
  try {
    renameSync(place, aside);
  } catch {
    // Another process was faster.
    return;
  }
  const holder = readOwner(aside);
  const isTaken = holder !== undefined && isRunning(holder, aside);
  if (isTaken && !existsSync(place)) linkSync(aside, place);
  rmSync(aside, { force: true });
  if (isTaken) throw inUse(path, holder.pid);
}
