import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { whileLocked } from '#lib/base/processes/file-lock.ts';

const fileSchema = z.object({ tools: z.array(z.unknown()) });

/**
 * A list that is stored in a file that only the person can read, such as the list of their answers. Any process of theirs
 * may change it.
 */
export class KeptList<Entry> {
  readonly #path: string;
  readonly #schema: z.ZodType<Entry>;

  constructor(path: string, schema: z.ZodType<Entry>) {
    this.#path = path;
    this.#schema = schema;
  }

  /**
   * The entries, in the order in which they were written. Leaves out what cannot be read, and is empty without a readable file.
   */
  read(): readonly Entry[] {
    try {
      if (!existsSync(this.#path)) return [];
      const { tools } = fileSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
      return tools.flatMap((one) => this.#schema.safeParse(one).data ?? []);
    } catch {
      return [];
    }
  }

  /**
   * Replaces the entries, as one step for all processes. `change` gets the present entries, and returns the new ones or, if
   * nothing is to change, undefined. Throws Node's errors.
   */
  change(change: (entries: readonly Entry[]) => readonly Entry[] | undefined): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    whileLocked(`${this.#path}.lock`, () => {
      const entries = change(this.read());
      if (entries !== undefined) this.#write(entries);
    });
  }

  #write(entries: readonly Entry[]): void {
    const draft = `${this.#path}.${randomUUID()}`;
    try {
      writeFileSync(draft, `${JSON.stringify({ tools: entries }, undefined, 1)}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.#path);
    } finally {
      rmSync(draft, { force: true });
    }
  }
}
