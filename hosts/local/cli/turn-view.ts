import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { AssistantMessage, CompactionPart, Notice, ToolCallPart } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { ToolHost } from '#lib/tools/execution/host.ts';
import type { TurnEnd, TurnListener } from '../agent.ts';
import { requestLine } from '../web/request-line.ts';
import type { ToldRequest } from '../web/request-record.ts';
import type { ShownDiff } from './call-diffs.ts';
import { describeCall, describeOutcome } from './call-words.ts';
import { colored } from './diff-view.ts';
import { problemText } from './problem-words.ts';
import { harmless, inOneLine, type Output, shownName, styled } from './terminal.ts';

/** A view that shows a turn while it is played: `TextView` or `JsonView`. */
export interface TurnView extends TurnListener {
  /** A call has sent a request, or was kept from it. */
  onRequest(request: ToldRequest): void;
  /** A call has made changes, shown as diffs. `more`: the number of further changes. */
  onDiffs(diffs: readonly ShownDiff[], more: number): void;
  onEnd(end: TurnEnd): void;
  onNotice(text: string): void;
}

/** Options of `TextView`. */
interface TextViewOptions {
  /** The output for the answer. */
  answer: Output;
  /** The output for everything else. */
  progress: Output;
  host: Pick<ToolHost, 'get'>;
  /** The command that the person types to go on with a turn that has failed. */
  resume: string;
  /** The id of the model that answers. */
  model(): string;
}

/**
 * Shows a turn as text: the answer as it is written, and a line for each call. The answer goes to one output, and everything
 * else to another: thoughts, calls, their changes, and notices.
 */
export class TextView implements TurnView {
  readonly #options: TextViewOptions;
  /** The kind of text that was written last and may continue; `nothing` if none may. */
  #open: 'nothing' | 'answer' | 'reasoning' = 'nothing';
  #endsLine = true;

  constructor(options: TextViewOptions) {
    this.#options = options;
  }

  onChunk(chunk: StudioChunk): void {
    switch (chunk.type) {
      case 'text-delta':
        this.#write('answer', chunk.delta);
        break;
      case 'reasoning-delta':
        this.#write('reasoning', chunk.delta);
        break;
      case 'data-retry':
        this.onNotice(
          `The model’s server refused (${chunk.data.code}); trying again in ${Math.ceil(chunk.data.delayMs / 1000)} s.`,
        );
        break;
      case 'data-compacting':
        this.onNotice('Summarizing earlier messages…');
        break;
      case 'data-compaction':
        this.onNotice(
          chunk.data.failed === undefined
            ? 'The conversation was summarized.'
            : `The conversation could not be summarized: ${failureText(chunk.data.failed)}`,
        );
        break;
      case 'data-step-end':
        for (const notice of chunk.data.notices) this.#showNotice(notice);
        break;
      default:
    }
  }

  onRun(call: ToolCallPart): void {
    const { progress, host } = this.#options;
    const { verb, target } = describeCall(call, host.get(call.toolName));
    this.#line(`${styled(progress, 'cyan', '●')} ${styled(progress, 'bold', verb)} ${this.#short(target, verb)}`);
  }

  onResult(call: ToolCallPart, result: ToolResult): void {
    const { progress, host } = this.#options;
    const { isFine, text } = describeOutcome(result);
    // A call that was not run has not been shown yet.
    if (result.durationMs === undefined) this.onRun(call);
    const isRead = host.get(call.toolName)?.effect === 'read';
    if (isFine && isRead) return;
    const sign = isFine ? styled(progress, 'green', '✓') : styled(progress, 'red', '✗');
    this.#line(`  ${sign} ${styled(progress, 'dim', this.#short(text, '  ✓'))}`);
  }

  onRequest(request: ToldRequest): void {
    const { progress } = this.#options;
    this.#line(`  ${styled(progress, 'dim', this.#short(requestLine(request), '  '))}`);
  }

  onDiffs(diffs: readonly ShownDiff[], more: number): void {
    const { progress } = this.#options;
    for (const { path, type, diff } of diffs) {
      this.#line(styled(progress, 'dim', `${shownName(path)} (${type})`));
      if (diff !== '') this.#line(colored(progress, diff));
    }
    if (more > 0) this.#line(styled(progress, 'dim', `… and ${more} more`));
  }

  onEnd(end: TurnEnd): void {
    this.#close();
    if (end.type === 'stopped') this.#line('Stopped.');
    const { progress, resume, model } = this.#options;
    if (end.type !== 'failed') return;
    this.#line(styled(progress, 'red', `Failed: ${harmless(problemText(model(), end.problem))}`));
    this.#line(styled(progress, 'dim', `What was done so far is kept. To go on: ${resume}`));
  }

  onNotice(text: string): void {
    this.#line(styled(this.#options.progress, 'yellow', harmless(text)));
  }

  /** Ends the line that is being written, so that a question can follow. */
  pause(): void {
    this.#close();
  }

  #showNotice(notice: Notice): void {
    const text = noticeText(notice);
    if (text !== undefined) this.onNotice(text);
  }

  #short(text: string, before: string): string {
    return inOneLine(text, Math.max(10, this.#options.progress.columns - before.length - 4));
  }

  #write(kind: 'answer' | 'reasoning', text: string): void {
    if (text === '') return;
    const { answer, progress } = this.#options;
    if (this.#open !== kind) this.#close();
    this.#open = kind;
    const shown = harmless(text);
    if (kind === 'answer') answer.write(shown);
    else progress.write(styled(progress, 'dim', shown));
    this.#endsLine = shown.endsWith('\n');
  }

  #close(): void {
    const { answer, progress } = this.#options;
    if (!this.#endsLine) (this.#open === 'answer' ? answer : progress).write('\n');
    this.#open = 'nothing';
    this.#endsLine = true;
  }

  #line(text: string): void {
    this.#close();
    this.#options.progress.write(`${text}\n`);
  }
}

/** Describes why the conversation could not be summarized. */
function failureText({ reason, detail }: NonNullable<CompactionPart['failed']>): string {
  if (reason === 'nothing') return 'there is nothing to summarize yet.';
  return reason === 'refused' ? `the model’s summary could not be used (${detail}).` : detail;
}

/** Describes a notice of a step for the person; undefined for a notice whose effect is visible anyway. */
function noticeText(notice: Notice): string | undefined {
  switch (notice.code) {
    case 'step-limit':
      return `The turn has taken ${notice.steps} steps, which is the limit. Raise it with --max-steps.`;
    case 'repeated-calls':
      return `The model called ${notice.toolName} again and again with the same result, so it was told to answer.`;
    case 'history-trimmed':
      return 'Older parts of the conversation were left out, because they do not fit into the model’s window.';
    case 'result-cut':
      return `The result of ${notice.toolName} was cut to ${notice.kept} of ${notice.total} characters.`;
    case 'tools-refused':
      return 'The model does not take tools by itself, so they are described in its prompt.';
    case 'window-learned':
      return `The model’s server takes only ${notice.window} tokens.`;
    case 'call-unreadable':
      return `A call of ${notice.toolName} could not be read.`;
    case 'length':
      return 'The answer was cut off, because it reached the model’s limit.';
    case 'content-filter':
      return 'The provider’s filter ended the answer.';
    default:
      return undefined;
  }
}

/** Shows a turn as events, one JSON object in each line. */
export class JsonView implements TurnView {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Writes an event. */
  event(event: { type: string } & Readonly<Record<string, unknown>>): void {
    this.#write(`${escaped(JSON.stringify(event))}\n`);
  }

  onChunk(chunk: StudioChunk, turn: AssistantMessage): void {
    switch (chunk.type) {
      case 'text-delta':
        this.event({ type: 'text', text: chunk.delta });
        break;
      case 'reasoning-delta':
        this.event({ type: 'reasoning', text: chunk.delta });
        break;
      case 'tool-input-available':
      case 'tool-input-error': {
        const call = turn.parts.find((part) => part.type === 'tool-call' && part.toolCallId === chunk.toolCallId);
        if (call?.type === 'tool-call') this.event({ type: 'call', ...named(call), input: call.input ?? null });
        break;
      }
      case 'data-step-end': {
        const { finishReason, usage, durationMs, notices } = chunk.data;
        this.event({ type: 'step', finishReason, usage, durationMs, notices });
        break;
      }
      case 'data-compaction':
        this.event({ type: 'summary', failed: chunk.data.failed?.detail ?? null });
        break;
      case 'data-retry':
        this.event({ type: 'retry', code: chunk.data.code, delayMs: chunk.data.delayMs });
        break;
      default:
    }
  }

  onRun(call: ToolCallPart): void {
    this.event({ type: 'run', ...named(call) });
  }

  onRequest(request: ToldRequest): void {
    this.event({ type: 'request', ...request });
  }

  onResult(call: ToolCallPart, result: ToolResult): void {
    const { durationMs = null } = result;
    if (result.type === 'tool-error')
      this.event({
        type: 'result',
        ...named(call),
        isError: true,
        code: result.code,
        content: result.message,
        durationMs,
      });
    else {
      const { content, data = null } = result.output;
      this.event({ type: 'result', ...named(call), isError: false, content, data, durationMs });
    }
  }

  onDiffs(diffs: readonly ShownDiff[], more: number): void {
    for (const { path, type, diff } of diffs) this.event({ type: 'diff', path, change: type, diff });
    if (more > 0) this.event({ type: 'notice', text: `${more} more changes are not shown.` });
  }

  onEnd(end: TurnEnd): void {
    this.event({ type: 'end', status: end.type, ...(end.type === 'failed' && { problem: end.problem }) });
  }

  onNotice(text: string): void {
    this.event({ type: 'notice', text });
  }
}

const named = ({ toolCallId, toolName }: ToolCallPart) => ({ id: toolCallId, name: toolName });

/**
 * Escapes U+007F to U+009F, which JSON allows as they are. Terminals take some of them for the beginning of a control sequence.
 */
const escaped = (json: string): string =>
  json.replace(/[\u007f-\u009f]/g, (character) => `\\u00${(character.codePointAt(0) ?? 0).toString(16)}`);
