import * as z from 'zod';
import { startOf } from '#lib/base/cut-text.ts';
import type { DocumentText } from '../capabilities/documents.ts';
import { counted } from '../core/counted.ts';
import { chosenParts } from '../documents/chosen-parts.ts';
import { parseJson } from './notebook.ts';

/** The most characters that a model gets of the outputs of one cell of a notebook. */
export const NOTEBOOK_OUTPUT_MAX = 1_000;

const textSchema = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))]).catch('');

const outputSchema = z.looseObject({
  text: textSchema.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional().catch(undefined),
  evalue: z.string().optional().catch(undefined),
});

const notebookSchema = z.looseObject({
  cells: z.array(
    z.looseObject({
      cell_type: z.string().catch('raw'),
      source: textSchema,
      outputs: z.array(outputSchema).optional().catch(undefined),
    }),
  ),
});

/**
 * Returns the cells of a notebook with their outputs: long outputs are cut, and images only named. `pages`: the numbers of
 * the cells, such as `3-7`; all if absent. Undefined if the text is not a notebook. Throws `UnreadableDocument` if there are
 * no such cells.
 */
export function notebookText(text: string, pages?: string): DocumentText | undefined {
  const parsed = notebookSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { cells } = parsed.data;
  const chosen = cells.length === 0 ? [] : chosenParts({ unit: 'cell', count: cells.length }, pages);
  const parts = chosen.flatMap((number) => {
    const cell = cells[number - 1];
    if (cell === undefined) return [];
    const shown = (cell.outputs ?? []).map(outputText).filter((output) => output !== '');
    const output = shown.length === 0 ? '' : `\n\n[Output]\n${shortened(shown.join('\n'))}`;
    return [{ label: `Cell ${number} (${cell.cell_type})`, text: `${cell.source.replace(/\n+$/, '')}${output}` }];
  });
  return { unit: 'cell', count: cells.length, parts, notes: [] };
}

function outputText({ text, data = {}, ename, evalue }: z.infer<typeof outputSchema>): string {
  if (ename !== undefined) return `${ename}: ${evalue ?? ''}`;
  const plain = textSchema.parse(data['text/plain'] ?? text ?? '').trimEnd();
  const others = Object.entries(data).flatMap(([type, value]) => {
    if (type === 'text/plain' || (plain !== '' && type.startsWith('text/'))) return [];
    return [`[${type}, ${counted(textSchema.parse(value).length, 'character')}]`];
  });
  return [plain, ...others].filter((one) => one !== '').join('\n');
}

function shortened(output: string): string {
  const shown = startOf(output, NOTEBOOK_OUTPUT_MAX);
  return shown === output ? output : `${shown}\n[${counted(output.length - shown.length, 'more character')}]`;
}
