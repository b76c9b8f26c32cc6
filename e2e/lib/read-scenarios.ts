import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseScenario, type Scenario } from '#e2e/lib/scenarios/scenario.ts';

const FOLDER = join(import.meta.dirname, '..', 'scenarios');

/** All scenarios by file name. Throws for an invalid file. */
export function readScenarios(): Map<string, Scenario> {
  const files = readdirSync(FOLDER).sort();
  return new Map(
    files.map((file) => [file.replace(/\.yaml$/, ''), parseScenario(readFileSync(join(FOLDER, file), 'utf8'), file)]),
  );
}
