import * as z from 'zod';
import { defined } from '#lib/base/defined.ts';
import type { DiagramProblem, Drawing } from './drawing.ts';
import { DIAGRAM_LIMITS } from './limits.ts';

const { pngMax, pixelsMax, sideMax, svgMax, textMax } = DIAGRAM_LIMITS;

const drawingSchema = z.object({
  png: z.instanceof(Uint8Array<ArrayBuffer>).refine(isSoundPng),
  width: z.number().positive(),
  height: z.number().positive(),
  svg: z.string().max(svgMax),
  title: z.string().max(textMax),
});

const problemSchema = z.object({
  code: z.enum(['mistake', 'too-large']),
  message: z.string().max(textMax),
  line: z.int().min(1).optional(),
});

/**
 * Validates the answer of the frame that draws diagrams, which may be anything if a diagram has taken the frame over.
 * Returns the problem `too-large` for an answer that is not valid.
 */
export function readDrawing(sent: unknown): Drawing | DiagramProblem {
  const drawing = drawingSchema.safeParse(sent);
  if (drawing.success) return drawing.data;
  const problem = problemSchema.safeParse(sent);
  if (!problem.success) return { code: 'too-large', message: 'The drawing is too large to be shown.' };
  const { line, ...others } = problem.data;
  return { ...others, ...defined({ line }) };
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The bytes of the signature and of the first chunk's head, its type, and its size. */
const HEAD_BYTES = 24;

/** Checks whether bytes are a PNG, and its pixels are not too many. */
function isSoundPng(bytes: Uint8Array): boolean {
  if (bytes.byteLength < HEAD_BYTES || bytes.byteLength > pngMax) return false;
  if (SIGNATURE.some((byte, index) => bytes[index] !== byte)) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const width = view.getUint32(HEAD_BYTES - 8);
  const height = view.getUint32(HEAD_BYTES - 4);
  // A pixel more comes from rounding.
  return width <= sideMax + 1 && height <= sideMax + 1 && width * height <= pixelsMax * 1.01;
}
