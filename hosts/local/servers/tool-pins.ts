import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { McpDefinition } from '#lib/mcp/definition.ts';
import { foreignDefinitionSchema } from '#lib/tools/core/foreign-definition.ts';

/** A tool as it was allowed. */
export interface ToolPin {
  /** The folder for which it was allowed; null for all. */
  folder: string | null;
  /** The name by which models call it. */
  tool: string;
  /** What tells its server from another of the same name. */
  server: string;
  definition: McpDefinition;
}

const pinSchema = z.object({
  ...{ folder: z.string().nullable(), tool: z.string(), server: z.string(), definition: foreignDefinitionSchema },
});

/** How many are kept; the oldest ones are forgotten. */
const PINS_MAX = 2_000;

/** The tools that the person has allowed, as their servers described them then, in a file. */
export class ToolPins {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The tool as it was allowed last, in a folder or in all of them. What cannot be read was not allowed. */
  find(wanted: Pick<ToolPin, 'tool' | 'server'> & { folder: string }): ToolPin | undefined {
    return this.#read().findLast(
      ({ tool, server, folder }) =>
        tool === wanted.tool && server === wanted.server && (folder === null || folder === wanted.folder),
    );
  }

  /** Remembers a tool in place of how it was allowed before. Throws Node's errors. */
  put(pin: ToolPin): void {
    const others = this.#read().filter(
      ({ tool, folder, server }) => tool !== pin.tool || folder !== pin.folder || server !== pin.server,
    );
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${randomUUID()}`;
    try {
      const text = JSON.stringify({ tools: [...others, pin].slice(-PINS_MAX) }, undefined, 1);
      writeFileSync(draft, `${text}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.#path);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  #read(): readonly ToolPin[] {
    try {
      if (!existsSync(this.#path)) return [];
      const { tools } = z.object({ tools: z.array(z.unknown()) }).parse(JSON.parse(readFileSync(this.#path, 'utf8')));
      return tools.flatMap((one) => pinSchema.safeParse(one).data ?? []);
    } catch {
      // Whatever is in it, nothing is allowed by it.
      return [];
    }
  }
}
