import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** Texts in the sources, and what stands in their places. Each text is found wherever it is now, and must be there once. */
const faultSchema = z.strictObject({
  /** The commit that fixed it. */
  commit: z.string().regex(/^[0-9a-f]{7,}$/),
  /** The failure that it causes. */
  fault: z.string().min(10),
  edits: z.array(z.strictObject({ find: z.string().min(8), replace: z.string() })).min(1),
  /** Files with tests that are likely to catch it: they only come first. Those that import what is changed are known. */
  tests: z.array(z.string()).optional(),
});

export type Fault = z.infer<typeof faultSchema>;

/**
 * Defects that were fixed in the project's history: of the commits that change one to four source files by at most 60
 * lines and add to tests, every third one in order, or the next that fixes a defect whose code still exists.
 */
export const FAULTS: readonly Fault[] = z
  .array(faultSchema)
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'faults.json'), 'utf8')));

const SOURCES = '{app,components,config,hosts,lib,log,models,net,server,studio}/**/*.{ts,tsx,css}';
const isTest = (file: string): boolean => /\.test\.tsx?$|(^|\/)test\//.test(file);

/** Finds a text in the sources. Throws if it is not there exactly once. */
export function findOnce(folder: string, text: string): { file: string; source: string } {
  const found = globSync(SOURCES, { cwd: folder })
    .filter((file) => !isTest(file))
    .map((file) => ({ file, source: readFileSync(join(folder, file), 'utf8') }))
    .filter(({ source }) => source.includes(text));
  const [only] = found;
  if (only === undefined || found.length > 1 || only.source.split(text).length !== 2)
    throw new Error(`The sources do not have this text once: ${JSON.stringify(text)}`);
  return only;
}

/** Plants a fault. `files`: those that it changes. */
export function plant(folder: string, { edits }: Fault): { files: string[]; undo(): void } {
  const before = new Map<string, string>();
  const undo = () => {
    for (const [file, source] of before) writeFileSync(join(folder, file), source);
  };
  try {
    for (const { find, replace } of edits) {
      const { file, source } = findOnce(folder, find);
      if (!before.has(file)) before.set(file, source);
      // A function, because `$` has a meaning in a text.
      writeFileSync(
        join(folder, file),
        source.replace(find, () => replace),
      );
    }
  } catch (error) {
    undo();
    throw error;
  }
  return { files: [...before.keys()], undo };
}
