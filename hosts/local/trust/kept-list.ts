import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';

const fileSchema = z.object({ tools: z.array(z.unknown()) });

/** A list of what the person has said about tools, in a file that only they can read. Any process may change it. */
export class KeptList<Entry> {
  readonly #path: string;
  readonly #schema: z.ZodType<Entry>;

  constructor(path: string, schema: z.ZodType<Entry>) {
    this.#path = path;
    this.#schema = schema;
  }

  /** The entries, in the order in which they were written. Whatever cannot be read is not there. */
  read(): readonly Entry[] {
    try {
      if (!existsSync(this.#path)) return [];
      const { tools } = fileSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
      return tools.flatMap((one) => this.#schema.safeParse(one).data ?? []);
    } catch {
      return [];
    }
  }

  /** Puts these entries in place of the others. Throws Node's errors. */
  write(entries: readonly Entry[]): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${randomUUID()}`;
    try {
      writeFileSync(draft, `${JSON.stringify({ tools: entries }, undefined, 1)}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.#path);
    } finally {
      rmSync(draft, { force: true });
    }
  }
}
