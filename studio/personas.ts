import * as z from 'zod';
import type { Thread } from '#lib/threads/thread.ts';
import { isShownToolset } from '#lib/tools/toolset-names.ts';

/** The limits of personas, which are saved ways to set up threads. */
export const PERSONA_LIMITS = {
  /** Personas in this browser. */
  personas: 50,
  /** A name, in characters. */
  name: 60,
  /** A system prompt, in characters. */
  systemPrompt: 50_000,
  /** Toolsets or grants of one persona. */
  list: 100,
  /** The name of a toolset, a model, or a tool, in characters. */
  item: 300,
  /** An imported file, in characters. */
  file: 1_000_000,
} as const;

const item = z.string().min(1).max(PERSONA_LIMITS.item);

/** A named way to set up threads: a system prompt, a model, toolsets, and grants (what runs without asking). */
export const personaSchema = z.object({
  name: z.string().trim().min(1).max(PERSONA_LIMITS.name),
  /** null stands for the user's default. */
  systemPrompt: z.string().max(PERSONA_LIMITS.systemPrompt).nullable(),
  /** The id of the model in the list; null for the user's default. */
  model: item.nullable(),
  toolsets: z.array(item).max(PERSONA_LIMITS.list),
  /** The tools that run without asking in its threads. */
  grants: z.array(item).max(PERSONA_LIMITS.list),
});

/** A named way to set up threads: a system prompt, a model, toolsets, and grants (what runs without asking). */
export type Persona = z.infer<typeof personaSchema>;

const FORMAT = 'roundtrip-persona';

const fileSchema = z.object({ format: z.literal(FORMAT), version: z.literal(1), persona: personaSchema });

/** Makes a persona from the settings and grants of a thread, or of the next new one. */
export const personaOf = (
  name: string,
  {
    settings,
    grants,
  }: { settings: Pick<Thread['settings'], 'systemPrompt' | 'model' | 'toolsets'>; grants: readonly string[] },
): Persona => ({
  name,
  systemPrompt: settings.systemPrompt,
  model: settings.model,
  toolsets: settings.toolsets.slice(0, PERSONA_LIMITS.list),
  grants: grants.slice(0, PERSONA_LIMITS.list),
});

/** Returns the text of a file with a persona, as JSON. `readPersona` reads it. */
export const personaFile = (persona: Persona): string =>
  `${JSON.stringify({ format: FORMAT, version: 1, persona }, undefined, 2)}\n`;

/** The reason why a persona's file is refused. */
type PersonaFault = 'not-json' | 'not-a-persona' | 'too-large';

/**
 * Checks whether a thread's grant is for a tool of the studio. Grants for other tools have a `/` in them, and those for hosts a
 * space.
 */
const isOwnGrant = (grant: string): boolean => !/[/\s]/.test(grant);

/**
 * Reads a persona's file, which may come from anyone. Returns the persona, or a `fault` if the file is no such file or is
 * too large. Leaves out grants for external tools, which the person has not seen, and for hosts, about which the person is
 * asked.
 */
export function readPersona(text: string): { persona: Persona } | { fault: PersonaFault } {
  if (text.length > PERSONA_LIMITS.file) return { fault: 'too-large' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: 'not-json' };
  }
  const { data } = fileSchema.safeParse(json);
  if (data === undefined) return { fault: 'not-a-persona' };
  const { grants, toolsets } = data.persona;
  return {
    persona: {
      ...data.persona,
      grants: grants.filter(isOwnGrant),
      toolsets: toolsets.filter((toolset) => isShownToolset(toolset)),
    },
  };
}

/**
 * Returns the personas with one added, under a name that is not taken; undefined if there are as many as `PERSONA_LIMITS`
 * allows.
 */
export function withPersona(all: readonly Persona[], persona: Persona): Persona[] | undefined {
  if (all.length >= PERSONA_LIMITS.personas) return undefined;
  const names = new Set(all.map(({ name }) => name));
  let name = persona.name;
  for (let n = 2; names.has(name); n++) name = `${persona.name.slice(0, PERSONA_LIMITS.name - 4)} ${n}`;
  return [...all, { ...persona, name }];
}

/**
 * Returns the personas with those of a backup added whose names are not taken, as far as there is room. The added ones have
 * no grants.
 */
export function withRestored(all: readonly Persona[], restored: readonly Persona[]): Persona[] {
  const names = new Set(all.map(({ name }) => name));
  const added = restored.filter(({ name }) => !names.has(name)).map((persona) => ({ ...persona, grants: [] }));
  return [...all, ...added].slice(0, PERSONA_LIMITS.personas);
}
