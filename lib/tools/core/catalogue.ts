import * as z from 'zod';
import { CATALOGUE_LIMITS } from './limits.ts';
import { specOf, type ToolSpec, toolSpecSchema } from './spec.ts';
import { ToolIndex } from './tool-index.ts';

const sectionSchema = z.object({
  text: z.string().max(CATALOGUE_LIMITS.description),
  /** The same, for models with a small context. */
  compact: z.string().max(CATALOGUE_LIMITS.description),
  /** The tools that the section is about; without all of them, it is left out. */
  needs: z.array(z.string()).optional(),
});

const fragmentSchema = z.object({
  toolset: z.string(),
  title: z.string().max(CATALOGUE_LIMITS.name),
  sections: z.array(sectionSchema),
});

/** What a model should know about a toolset beyond the schemas of its tools: the mental model and the constraints. */
export type Fragment = z.infer<typeof fragmentSchema>;

const catalogueSchema = z.object({
  tools: z.array(toolSpecSchema).max(CATALOGUE_LIMITS.tools),
  fragments: z.array(fragmentSchema).max(CATALOGUE_LIMITS.fragments),
});

/** The tools that a run offers to its model, as data, and what the model is told about their toolsets. */
export interface Catalogue {
  tools: ToolIndex;
  fragments: readonly Fragment[];
}

/** A catalogue without tools. */
export const NO_TOOLS: Catalogue = { tools: new ToolIndex([]), fragments: [] };

/** A catalogue as text, and its name: the SHA-256 of the text, in hexadecimal. */
export interface NamedCatalogue {
  name: string;
  text: string;
}

/** Thrown for a text that is not a catalogue, or too large a one; the message says what is wrong. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
}

/** The catalogue's text: the same tools and fragments give the same text. */
export const catalogueText = (tools: readonly ToolSpec[], fragments: readonly Fragment[]): string =>
  JSON.stringify({ tools: tools.map(specOf), fragments });

/** Reads a catalogue that may come from anyone. Throws `CatalogueError`. */
export function readCatalogue(text: string): Catalogue {
  const { length, depth } = CATALOGUE_LIMITS;
  if (text.length > length)
    throw new CatalogueError(`The tools take ${text.length} characters; the limit is ${length}. Turn some off.`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new CatalogueError('The catalogue of tools is not valid JSON.');
  }
  if (isDeeperThan(json, depth)) throw new CatalogueError(`A tool’s schema is nested more than ${depth} levels deep.`);
  const parsed = catalogueSchema.safeParse(json);
  if (!parsed.success) throw new CatalogueError(`The catalogue of tools is invalid. ${z.prettifyError(parsed.error)}`);
  const { tools, fragments } = parsed.data;
  try {
    return { tools: new ToolIndex(tools), fragments };
  } catch (error) {
    throw new CatalogueError(error instanceof Error ? error.message : String(error));
  }
}

/** Whether a JSON value has more levels. Not recursive, so no depth can exhaust the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value];
  for (let level = 0; layer.length > 0; level++) {
    if (level > levels) return true;
    layer = layer.flatMap((entry) => (typeof entry === 'object' && entry !== null ? Object.values(entry) : []));
  }
  return false;
}
