import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import MarkdownView from '#components/markdown/markdown-view.tsx';
import { delay } from '#lib/base/delay.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { DocumentReader, startDocumentsWorker } from '#lib/documents/document-reader.ts';
import { RAN as DOCUMENT_RAN, hostileDocuments } from '#lib/documents/test/hostile-documents.ts';
import { Diagrams } from '#lib/sandbox/diagrams/diagrams.ts';
import type { DiagramKind } from '#lib/sandbox/diagrams/drawing.ts';
import { Sandbox } from '#lib/sandbox/sandbox.ts';
import { valueText } from '#lib/tools/capabilities/rendered-value.ts';
import { textOfDocument } from '#lib/tools/documents/document-text.ts';
import { documentFormat } from '#lib/tools/documents/document-type.ts';
import { RAN } from '../lib/hostile-answers.ts';

/** The outcome of a piece of code. */
export interface PieceOutcome {
  text: string;
  /** The longest delay of the page's timers meanwhile, in milliseconds. */
  stallMs: number;
  /** Whether the code ran in a worker, because frames have no thread of their own. */
  hasNoDom: boolean;
}

const sandbox = new Sandbox(undefined);
const NO_FILES = () => Promise.reject(new Error('no files'));
const TICK_MS = 10;

/** Runs pieces of code one after the other in one session, as the studio does. */
async function runPieces(pieces: readonly { code: string; timeout?: number }[]): Promise<PieceOutcome[]> {
  const session = sandbox.session('firefox');
  const outcomes: PieceOutcome[] = [];
  for (const { code, timeout = 30 } of pieces) {
    const stalls = watchStalls();
    try {
      const { value, hasNoDom = false } = await session.evaluate(code, {
        abortSignal: new AbortController().signal,
        timeoutMs: timeout * 1_000,
        files: { read: NO_FILES, write: NO_FILES, list: NO_FILES },
      });
      outcomes.push({ text: value === undefined ? '' : valueText(value), stallMs: stalls.longest(), hasNoDom });
    } catch (error) {
      outcomes.push({
        text: `failed: ${messageOf(error)}`,
        stallMs: stalls.longest(),
        hasNoDom: false,
      });
    }
    stalls.end();
  }
  return outcomes;
}

/** Watches from now on how long the page's timers are late. `longest`: the longest delay, in milliseconds. */
function watchStalls(): { longest(): number; end(): void } {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - TICK_MS);
    last = now;
  }, TICK_MS);
  return { longest: () => longest, end: () => clearInterval(timer) };
}

/** The outcome of a diagram. `ran`: whether one of its scripts ran in the page. */
export interface DrawnOutcome {
  isDrawn: boolean;
  ran: boolean;
  stallMs: number;
}

const COLORS = { isDark: false, surface: '#fff', text: '#111', line: '#555', node: '#eef', accent: '#25c' };

/** Draws diagrams one after the other, as the studio does, and shows their pictures. */
async function drawAll(diagrams: readonly { kind: DiagramKind; source: string }[]): Promise<DrawnOutcome[]> {
  const drawer = new Diagrams(undefined, (signal) => sandbox.isApart(signal));
  const outcomes: DrawnOutcome[] = [];
  for (const { kind, source } of diagrams) {
    const stalls = watchStalls();
    const drawn = await drawer.draw({ kind, source, scale: 2, colors: COLORS }, new AbortController().signal);
    const isDrawn = 'png' in drawn;
    if (isDrawn) {
      const picture = new Image();
      picture.src = URL.createObjectURL(new Blob([drawn.png], { type: 'image/png' }));
      await picture.decode();
      document.body.replaceChildren(picture);
    }
    stalls.end();
    outcomes.push({ isDrawn, ran: RAN in globalThis, stallMs: stalls.longest() });
  }
  return outcomes;
}

/** The outcome of an answer. `ran`: whether something in it ran in the page. */
export interface ShownOutcome {
  isShown: boolean;
  ran: boolean;
  stallMs: number;
}

/** Time for what an answer starts, such as requests and handlers, in milliseconds. */
const SETTLING_MS = 300;
const SHOWN_MAX_MS = 10_000;

/**
 * Shows answers one after the other. Each of them must end with the text `end`, and the formula after it must be drawn. Pictures
 * from other sites are links, as in the studio until the person allows them.
 */
async function showAll(answers: readonly string[], end: string): Promise<ShownOutcome[]> {
  const outcomes: ShownOutcome[] = [];
  for (const text of answers) {
    const box = document.createElement('div');
    document.body.replaceChildren(box);
    const stalls = watchStalls();
    const root = createRoot(box);
    root.render(createElement(MarkdownView, { text: `${text}\n\n$x$`, name: 'answer', streaming: false }));
    const isShown = (): boolean =>
      box.textContent.includes(end) && [...box.querySelectorAll('p')].at(-1)?.querySelector('.katex') != null;
    const giveUp = performance.now() + SHOWN_MAX_MS;
    while (!isShown() && performance.now() < giveUp) await delay(TICK_MS);
    await delay(SETTLING_MS);
    stalls.end();
    outcomes.push({ isShown: isShown(), ran: RAN in globalThis, stallMs: stalls.longest() });
    root.unmount();
  }
  return outcomes;
}

/** The outcome of a document. `text`: what a model gets, or the error. `ran`: whether something in it ran in the page. */
export interface ReadOutcome {
  name: string;
  text: string;
  isExpected: boolean;
  ran: boolean;
  stallMs: number;
}

/** Reads hostile documents one after the other, as the studio does. `target`: the address of a server that must not be reached. */
async function readAll(target: string): Promise<ReadOutcome[]> {
  const reader = new DocumentReader(startDocumentsWorker);
  const outcomes: ReadOutcome[] = [];
  for (const { name, file, data: made, expected } of hostileDocuments(target)) {
    const data = made();
    const format = documentFormat(data, file);
    // Notebooks and other files are not read by the worker.
    if (format === undefined) continue;
    const stalls = watchStalls();
    const text = await reader
      .open({ data, format }, { abortSignal: new AbortController().signal })
      .then(({ parts, notes }) => [textOfDocument(parts), ...notes].join('\n'), messageOf);
    stalls.end();
    const outcome = { name, text, isExpected: expected.test(text), ran: DOCUMENT_RAN in globalThis };
    outcomes.push({ ...outcome, stallMs: stalls.longest() });
  }
  return outcomes;
}

Object.assign(window, { runPieces, drawAll, showAll, readAll });
