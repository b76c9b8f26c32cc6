import * as z from 'zod';
import { defined } from '#lib/base/defined.ts';
import { excessOf } from '#lib/base/json-size.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { CATALOGUE_LIMITS } from '../core/limits.ts';
import { specOf, type ToolSpec, toolSpecSchema } from '../core/spec.ts';
import { ToolIndex } from './tool-index.ts';

const sectionSchema = z.object({
  text: z.string().max(CATALOGUE_LIMITS.description),
  /** The section for models with a small context; empty if they do not get it. */
  compact: z.string().max(CATALOGUE_LIMITS.description),
  /** Names of tools of the toolset. The section is left out unless all of them are offered. */
  needs: z.array(z.string()).optional(),
});

const fragmentSchema = z.object({
  toolset: z.string(),
  title: z.string().max(CATALOGUE_LIMITS.name),
  sections: z.array(sectionSchema),
});

/**
 * A section of the system prompt about a toolset: instructions for the model beyond the schemas of the tools. It has a title
 * and parts, some of which are left out unless certain tools are offered.
 */
export type Fragment = z.infer<typeof fragmentSchema>;

const instructionSchema = z.object({
  /** The file's path in the workspace. */
  path: z.string().max(CATALOGUE_LIMITS.description),
  text: z.string().max(CATALOGUE_LIMITS.instruction),
  /** Identifies the text, so that changes are noticed. */
  hash: z.string().max(CATALOGUE_LIMITS.name),
});

const skillSchema = z.object({
  name: z.string().max(CATALOGUE_LIMITS.name),
  /** When the skill is of use, for the model. */
  description: z.string().max(CATALOGUE_LIMITS.skill),
});

const projectSchema = z.object({
  instructions: z.array(instructionSchema).max(CATALOGUE_LIMITS.instructions),
  skills: z.array(skillSchema).max(CATALOGUE_LIMITS.skills),
});

/** Information for the model from the files of a workspace: instructions, and the skills that the model can read. */
export type Project = z.infer<typeof projectSchema>;

const catalogueSchema = z.object({
  tools: z.array(toolSpecSchema).max(CATALOGUE_LIMITS.tools),
  fragments: z.array(fragmentSchema).max(CATALOGUE_LIMITS.fragments),
  project: projectSchema.optional(),
});

/** The tools that a run offers to its model, as data, and what the model is told about their toolsets. */
export interface Catalogue {
  tools: ToolIndex;
  fragments: readonly Fragment[];
  /** Information from the workspace for the model, as far as the user allows it. */
  project?: Project | undefined;
}

/** A catalogue (what a run offers to its model) without tools. */
export const NO_TOOLS: Catalogue = { tools: new ToolIndex([]), fragments: [] };

/**
 * A catalogue, which is what a run offers to its model, as JSON text, and its name: the SHA-256 of the text, in hexadecimal.
 */
export interface NamedCatalogue {
  name: string;
  text: string;
}

/**
 * Thrown for a text that is not a catalogue (what a run offers to its model), or too large a one; the message says what is
 * wrong.
 */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
}

/**
 * Returns a catalogue, which is what a run offers to its model, as JSON text: tools, fragments (sections of the system prompt
 * about toolsets), and the project (information from the workspace's files). The same values give the same text.
 */
export const catalogueText = (tools: readonly ToolSpec[], fragments: readonly Fragment[], project?: Project): string =>
  JSON.stringify({ tools: tools.map(specOf), fragments, project });

/**
 * Parses and checks the JSON text of a catalogue, which is what a run offers to its model. The text may come from anyone.
 * Throws `CatalogueError`.
 */
export function readCatalogue(text: string): Catalogue {
  const { length, depth, values } = CATALOGUE_LIMITS;
  if (text.length > length) throw tooLong(text.length, length);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new CatalogueError('The tool catalog is not valid JSON.');
  }
  const excess = excessOf(json, CATALOGUE_LIMITS);
  if (excess === 'depth') throw new CatalogueError(`A tool’s schema is nested more than ${depth} levels deep.`);
  if (excess === 'values') throw new CatalogueError(`The tools have more than ${values} values. Remove some.`);
  const parsed = catalogueSchema.safeParse(json);
  if (!parsed.success) throw new CatalogueError(`The tool catalog is invalid. ${z.prettifyError(parsed.error)}`);
  const { tools, fragments, project } = parsed.data;
  try {
    return { tools: new ToolIndex(tools), fragments, ...defined({ project }) };
  } catch (error) {
    throw new CatalogueError(messageOf(error));
  }
}

/**
 * Throws `CatalogueError` if tools cannot be offered together in a run, because they are too many or too large, or share a
 * name: the studio's server would refuse a catalogue with them.
 */
export function checkTogether(tools: readonly ToolSpec[]): void {
  const text = catalogueText(tools, []);
  const { toolsLength } = CATALOGUE_LIMITS;
  if (text.length > toolsLength) throw tooLong(text.length, toolsLength);
  readCatalogue(text);
}

const tooLong = (length: number, limit: number): CatalogueError =>
  new CatalogueError(`The tools take ${length} characters; the limit is ${limit}. Remove some.`);
