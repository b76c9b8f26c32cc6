import * as z from 'zod';

/** Largest notebook that is read or edited, in bytes: most of it is images in outputs, which are left out. */
export const NOTEBOOK_MAX_BYTES = 50_000_000;

const cellSchema = z.looseObject({
  outputs: z.array(z.unknown()).optional(),
  attachments: z.record(z.string(), z.unknown()).optional(),
});

const notebookSchema = z.looseObject({
  cells: z.array(cellSchema),
  metadata: z.looseObject({ widgets: z.unknown().optional() }).optional(),
});

/** Checks whether a file is a Jupyter notebook, by its name. */
export const isNotebook = (path: string): boolean => path.toLowerCase().endsWith('.ipynb');

/**
 * Returns the JSON of a notebook without outputs, attachments, and widgets, which may be megabytes of images. The lines are
 * written as Jupyter writes them, so that an edit can find them in the file. `cells`: the number of cells from which something
 * was left out. Undefined if nothing was left out, or if the text is not a notebook.
 */
export function withoutOutputs(text: string): { text: string; cells: number } | undefined {
  const parsed = notebookSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  let count = 0;
  const cells = parsed.data.cells.map((cell) => {
    const hasOutputs = (cell.outputs?.length ?? 0) > 0;
    const hasAttachments = Object.keys(cell.attachments ?? {}).length > 0;
    if (!hasOutputs && !hasAttachments) return cell;
    count++;
    return { ...cell, ...(hasOutputs && { outputs: [] }), ...(hasAttachments && { attachments: {} }) };
  });
  if (count === 0 && parsed.data.metadata?.widgets === undefined) return undefined;
  const { widgets: _, ...metadata } = parsed.data.metadata ?? {};
  return { text: `${JSON.stringify({ ...parsed.data, cells, metadata }, null, 1)}\n`, cells: count };
}

/** Parses JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON is no notebook either, and stays as it is.
    return undefined;
  }
}
