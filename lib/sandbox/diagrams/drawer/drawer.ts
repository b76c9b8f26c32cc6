// Runs in a frame without an origin: whatever is in a diagram, only this frame has to draw it.
import { expose, transfer } from 'comlink';
import { defined } from '#lib/base/defined.ts';
import { messageOf } from '#lib/base/message-of.ts';
import type { DiagramProblem, Drawer, Drawing } from '../drawing.ts';
import { DIAGRAM_LIMITS } from '../limits.ts';
import { drawMermaid } from './draw-mermaid.ts';
import { pictureOf, SvgMistake, TooLarge } from './picture-of.ts';
import { writtenLine } from './written-line.ts';

declare global {
  /** The port to the page, set by the frame's first script. */
  var diagramPort: MessagePort | undefined;
}

const drawer: Drawer = {
  ready: async () => true,
  async draw({ kind, source, colors, scale }) {
    try {
      const svg = kind === 'svg' ? source : await drawMermaid(source, colors);
      const drawing: Drawing = await pictureOf(svg, scale);
      return transfer(drawing, [drawing.png.buffer]);
    } catch (error) {
      return problemOf(error, kind === 'mermaid' ? source : undefined);
    }
  },
};

/** `mermaid`: the source, if it is Mermaid's parser that the error comes from. */
function problemOf(error: unknown, mermaid: string | undefined): DiagramProblem {
  const message = messageOf(error).trim().slice(0, DIAGRAM_LIMITS.textMax);
  if (error instanceof TooLarge) return { code: 'too-large', message };
  const named = error instanceof SvgMistake ? error.line : lineOf(error, message);
  const line = named === undefined || mermaid === undefined ? named : writtenLine(mermaid, named);
  return { code: 'mistake', message, ...defined({ line }) };
}

/** The line that one of Mermaid's parsers names in an error. Each has its own form. */
function lineOf(error: unknown, message: string): number | undefined {
  const hash = (error as { hash?: { loc?: { first_line?: unknown } } } | null)?.hash;
  const named = /(?:on|at|in) line:? (\d+)/i.exec(message)?.[1] ?? hash?.loc?.first_line;
  return named === undefined ? undefined : Number(named);
}

if (globalThis.diagramPort !== undefined) {
  expose(drawer, globalThis.diagramPort);
  globalThis.diagramPort.start();
}
