import { randomUUID } from 'node:crypto';
import type { CompactionOptions } from '#lib/agent/compaction/compact.ts';
import { playTurn, type TurnOptions } from '#lib/agent/loop.ts';
import { applyChunk, endUnfinished, pendingCalls, toToolCall } from '#lib/messages/apply-chunk.ts';
import { hasSeen, lastKnownHash } from '#lib/messages/branch-knowledge.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type {
  AssistantMessage,
  CompactionPart,
  Message,
  Problem,
  ToolCallPart,
  UserMessage,
} from '#lib/messages/message.ts';
import { withResults } from '#lib/messages/results.ts';
import { saidBefore } from '#lib/messages/said.ts';
import { textMessage } from '#lib/messages/text-message.ts';
import { stepsOf } from '#lib/threads/openai-lines.ts';
import { catalogueText, readCatalogue } from '#lib/tools/catalogue/catalogue.ts';
import type { CallForm, FormAnswer } from '#lib/tools/core/call-form.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolCall, ToolResult } from '#lib/tools/core/tool-call.ts';
import type { EgressRecord } from '#lib/tools/egress/egress.ts';
import { executeBatch } from '#lib/tools/execution/batch.ts';
import { createToolExecutor, type ToolExecutor } from '#lib/tools/execution/executor.ts';
import type { KnownFiles } from '#lib/tools/execution/known-files.ts';
import { isShownToolset } from '#lib/tools/toolset-names.ts';
import { type CallProposal, NO_PROPOSAL, proposalOf } from '#lib/workspace/review/call-proposal.ts';
import { UsageError } from './cli/exit-codes.ts';
import type { LocalFolder } from './local-folder.ts';
import type { LocalModel, LocalModels } from './model.ts';
import type { Permissions } from './permissions.ts';
import type { SessionFile } from './session/session-file.ts';
import { fragmentsFor } from './tools.ts';
import type { AskAboutWorkspaceTool } from './workspace-tools/workspace-tools.ts';

/** A listener for the events of a turn, such as a view that shows them. */
export interface TurnListener {
  /** A chunk of the turn has arrived. `turn`: the turn with this chunk applied. */
  onChunk(chunk: StudioChunk, turn: AssistantMessage): void;
  /** A call is about to run. */
  onRun(call: ToolCallPart): void;
  /** A call has its result, whether it has run or not. */
  onResult(call: ToolCallPart, result: ToolResult): void;
}

/**
 * The outcome of a turn. `limited`: the turn reached its maximum number of steps, so the model had to answer without further
 * calls.
 */
export type TurnEnd =
  | { type: 'done' }
  | { type: 'limited' }
  | { type: 'stopped' }
  | { type: 'failed'; problem: Problem };

/** Options of `LocalAgent`. */
export interface LocalAgentOptions {
  folder: LocalFolder;
  session: SessionFile;
  models: LocalModels;
  model: LocalModel;
  permissions: Permissions;
  maxSteps: number;
  /** The record of the requests that calls send. It is told which calls may send some, and why. */
  egress: EgressRecord;
  listener: TurnListener;
  /** Asks whether the model may use a workspace tool that is new or has changed; undefined if nobody can be asked. */
  askAboutWorkspaceTool: AskAboutWorkspaceTool | undefined;
  /** Asks the person what a running call wants to know; undefined if nobody is there. Rejects if the signal fires. */
  askForm?: ((form: CallForm, abortSignal: AbortSignal) => Promise<FormAnswer>) | undefined;
}

/** Plays turns of a conversation over a folder: asks the model, and runs its calls on this machine. */
export class LocalAgent {
  /** The model that answers. A change takes effect with the next turn. */
  model: LocalModel;
  /** Whether the next turn begins with a summary of the conversation, after which this is false again. */
  compactsNext = false;
  readonly #options: LocalAgentOptions;
  readonly #executor: ToolExecutor;
  #branch: readonly Message[] = [];
  /** The latest state of the turn that is played or was played last. */
  #turn: AssistantMessage | undefined;

  constructor(options: LocalAgentOptions) {
    this.#options = options;
    this.model = options.model;
    this.#executor = this.#createExecutor();
  }

  /**
   * Plays a new turn that answers `text`. Calls that an earlier process left pending get results first, and none of them runs.
   */
  async answer(text: string, signal: AbortSignal): Promise<TurnEnd> {
    const { session, folder } = this.#options;
    await this.settle();
    const message: UserMessage = textMessage(text);
    session.addMessage(message);
    const turn: AssistantMessage = {
      id: randomUUID(),
      role: 'assistant',
      createdAt: Date.now(),
      parts: [],
      status: { type: 'running', runId: '' },
    };
    folder.own.create();
    folder.own.turns.add(turn.id);
    folder.journal.beginTurn(turn.id, text);
    return this.#play(turn, signal);
  }

  /**
   * Goes on with the last turn: runs its pending calls, and then asks the model. If the session ends with a message of the
   * user, begins a turn that answers it. Calls of a turn that was not begun in this folder do not run: anybody could have
   * written them. Rejects with `UsageError` if there is nothing to go on with.
   */
  async resume(signal: AbortSignal): Promise<TurnEnd> {
    const { session, folder } = this.#options;
    const unfinished = session.unfinished;
    if (unfinished === undefined && session.messages.at(-1)?.role !== 'user')
      throw new UsageError('The last turn of this session is finished. Say what to do next.');
    await folder.recover();
    if (unfinished !== undefined && !folder.own.turns.has(unfinished.id)) await this.settle();
    const last = session.messages.at(-1);
    const turn: AssistantMessage =
      last?.role === 'assistant'
        ? { ...this.#asKnown(last), status: { type: 'running', runId: '' } }
        : {
            id: randomUUID(),
            role: 'assistant',
            createdAt: Date.now(),
            parts: [],
            status: { type: 'running', runId: '' },
          };
    folder.own.create();
    folder.own.turns.add(turn.id);
    if (folder.journal.turns().some(({ id }) => id === turn.id)) folder.journal.continueTurn(turn.id);
    else folder.journal.beginTurn(turn.id, questionOf(session.messages));
    return this.#play(turn, signal);
  }

  /**
   * Returns the message. A turn that was not begun in this folder loses its prompt hashes, so that it counts as imported and
   * its calls are not taken for the model's own.
   */
  #asKnown<T extends Message>(message: T): T {
    if (message.role === 'user' || this.#options.folder.own.turns.has(message.id)) return message;
    return {
      ...message,
      parts: message.parts.map((part) => (part.type === 'step' ? { ...part, promptHash: '' } : part)),
    };
  }

  /** Finds what a call would do to the files if it ran now. Never rejects. */
  proposal(call: ToolCall, tool: Tool, signal: AbortSignal): Promise<CallProposal> {
    const { files: all, host } = this.#options.folder;
    const { files } = host.capabilities;
    if (files === undefined) return Promise.resolve(NO_PROPOSAL);
    return proposalOf(call, tool, { files, all, known: this.#known(), signal });
  }

  /**
   * Gives results to the pending calls of the last turn and stops it. None of them runs: calls that an earlier process started
   * get what is known of their outcome, the others `aborted`.
   */
  async settle(): Promise<void> {
    const { session, folder } = this.#options;
    await folder.recover();
    const turn = session.unfinished;
    if (turn === undefined || pendingCalls(turn).length === 0) return;
    const results = await this.#execute(pendingCalls(turn), session.messages, AbortSignal.abort());
    session.saveTurn({ ...withResults(turn, results), status: { type: 'stopped' } });
  }

  async #play(begun: AssistantMessage, signal: AbortSignal): Promise<TurnEnd> {
    const { session, models, maxSteps, listener } = this.#options;
    const { model, toolCalling: _, describe, ...learning } = this.model;
    const before = session.messages.filter(({ id }) => id !== begun.id).map((message) => this.#asKnown(message));
    this.#turn = begun;
    const compaction: CompactionOptions = {
      share: models.env.COMPACT_AT_SHARE,
      messageChars: models.env.COMPACT_MESSAGE_CHARS,
      isAsked: this.compactsNext,
      describe: (error) => describe(error).detail,
    };
    this.compactsNext = false;
    try {
      await this.#settleWorkspaceTools(signal);
      const pending = pendingCalls(begun);
      if (pending.length > 0) {
        const results = await this.#execute(pending, [...before, begun], signal);
        this.#turn = withResults(begun, results);
        signal.throwIfAborted();
      }
      const turn = await playTurn({
        messages: [...before, this.#turn],
        model,
        ...this.#offer(),
        // A model can write a tool, and go on with it.
        offer: () => this.#offer(),
        limits: models.limits(maxSteps),
        compaction,
        abortSignal: signal,
        emit: (chunk) => {
          // The summary that the person has asked for is made only once.
          if (chunk.type === 'finish-step') compaction.isAsked = false;
          this.#turn = applyChunk(this.#turn ?? begun, chunk);
          if (chunk.type === 'data-compaction') this.#saveMessages([...before, this.#turn], chunk.data.summary);
          listener.onChunk(chunk, this.#turn);
        },
        execute: async (calls, branch) => {
          const results = await this.#execute(calls, branch, signal);
          this.#turn = withResults(this.#turn ?? begun, results);
          if (!signal.aborted) await this.#settleWorkspaceTools(signal);
          return results;
        },
        ...learning,
        log: models.log,
      });
      session.saveTurn(turn);
      return { type: isLimited(turn) ? 'limited' : 'done' };
    } catch (error) {
      const turn = endUnfinished(this.#turn ?? begun);
      if (signal.aborted) {
        // The parts that have arrived stay, and the model sees them next.
        session.saveTurn({ ...turn, status: { type: 'stopped' } });
        await this.#settleStopped(turn);
        return { type: 'stopped' };
      }
      return { type: 'failed', problem: describe(error) };
    } finally {
      session.tidy();
    }
  }

  /** Asks about each workspace tool that the person has neither allowed nor refused as it is now. */
  #settleWorkspaceTools(signal: AbortSignal): Promise<void> {
    return this.#options.folder.workspaceTools.settle(this.#options.askAboutWorkspaceTool, signal);
  }

  /** Returns the catalogue of tools and the settings for the next step. */
  #offer(): Pick<TurnOptions, 'catalogue' | 'settings'> {
    const { folder, session } = this.#options;
    const tools = folder.host.list();
    const toolsets = [...new Set(tools.map(({ toolset }) => toolset))].filter(isShownToolset);
    const { toolCalling } = this.model;
    return {
      catalogue: readCatalogue(catalogueText(tools, fragmentsFor(tools))),
      settings: { systemPrompt: session.systemPrompt, toolsets, toolCalling },
    };
  }

  /**
   * Writes the person's messages that a summary contains only in part to files, where the model's tools find them. Does nothing
   * if the summary does not name such files.
   */
  #saveMessages(branch: readonly Message[], summary: CompactionPart['summary']): void {
    if (summary?.hasFiles !== true) return;
    const files = saidBefore(branch, summary).flatMap(({ path, whole }) =>
      path === undefined ? [] : [{ path, text: whole() }],
    );
    this.#options.folder.own.saveMissing(files);
  }

  /** Gives results to the calls of a stopped turn that have none, without running them (rule R1), and saves the turn. */
  async #settleStopped(turn: AssistantMessage): Promise<void> {
    const pending = pendingCalls(turn);
    if (pending.length === 0) return;
    const { session } = this.#options;
    const results = await this.#execute(pending, session.messages, AbortSignal.abort());
    session.saveTurn({ ...withResults(turn, results), status: { type: 'stopped' } });
  }

  async #execute(
    calls: readonly ToolCallPart[],
    branch: readonly Message[],
    stop: AbortSignal,
  ): Promise<readonly ToolResult[]> {
    const { session, listener, folder, permissions } = this.#options;
    const last = branch.at(-1);
    // No call runs before its step is on disk (rule R3).
    if (last?.role === 'assistant') session.saveTurn({ ...last, status: { type: 'waiting' } });
    this.#branch = branch;
    const byId = new Map(calls.map((call) => [call.toolCallId, call]));
    return executeBatch(calls.map(toToolCall), {
      executor: this.#executor,
      host: folder.host,
      signals: { stop, detach: new AbortController().signal },
      onResult: (result) => {
        permissions.settled(result.toolCallId);
        const call = byId.get(result.toolCallId);
        if (call !== undefined) listener.onResult(call, result);
      },
    });
  }

  /** The versions of files that the model has seen. */
  #known(): KnownFiles {
    const { folder } = this.#options;
    const isReading = (toolName: string): boolean => folder.host.get(toolName)?.effect === 'read';
    return {
      hashOf: (path) => lastKnownHash(this.#branch, path, isReading),
      hasSeen: (hash) => hasSeen(this.#branch, hash, isReading),
      textOf: (_, hash) => folder.textOf(hash),
    };
  }

  #createExecutor(): ToolExecutor {
    const { folder, session, permissions, egress, listener, askForm } = this.#options;
    const { host } = folder;
    const callsOf = (messages: readonly Message[]) =>
      messages.flatMap(({ parts }) =>
        parts.filter((part): part is ToolCallPart => part.type === 'tool-call' && part.result !== undefined),
      );
    return createToolExecutor({
      host,
      ledger: session,
      claimant: randomUUID(),
      fence: (toolCallId, previous) => folder.fence(toolCallId, previous),
      hasCommitted: (toolCallId) => folder.hasCommitted(toolCallId),
      writtenBy: (toolCallId, known) => folder.writtenBy(toolCallId, known),
      decide: (call, tool) => permissions.decide(call, tool),
      ask: (call, tool, abortSignal) => permissions.ask(call, tool, abortSignal),
      ...(askForm && { askForm: (_, form, abortSignal) => askForm(form, abortSignal) }),
      egress,
      known: this.#known(),
      earlierResults: (toolName) =>
        callsOf(this.#turn === undefined ? [] : [this.#turn]).flatMap((call) =>
          host.get(call.toolName)?.name === toolName && call.result !== undefined ? [call.result] : [],
        ),
      hasRunBefore: (toolName) => callsOf(this.#branch).some((call) => host.get(call.toolName)?.name === toolName),
      onRun: ({ toolCallId }) => {
        const call = callById(this.#branch, toolCallId);
        if (call !== undefined) listener.onRun(call);
      },
    });
  }
}

/** Checks whether a turn has ended because it may not take further steps. */
const isLimited = (turn: AssistantMessage): boolean =>
  stepsOf(turn)
    .at(-1)
    ?.step?.notices.some(({ code }) => code === 'step-limit') ?? false;

function callById(branch: readonly Message[], toolCallId: string): ToolCallPart | undefined {
  for (const { parts } of branch.toReversed())
    for (const part of parts) if (part.type === 'tool-call' && part.toolCallId === toolCallId) return part;
  return undefined;
}

/** Returns the first text of the last question; empty if there is none. */
function questionOf(messages: readonly Message[]): string {
  const part = messages.findLast(({ role }) => role === 'user')?.parts.find(({ type }) => type === 'text');
  return part?.type === 'text' ? part.text : '';
}
