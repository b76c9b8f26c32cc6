import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The folders that hold the project's code. */
export const SOURCE_FOLDERS = [
  'app',
  'bench',
  'components',
  'config',
  'e2e',
  'hosts',
  'lib',
  'log',
  'models',
  'net',
  'scripts',
  'server',
  'studio',
] as const;

/** The project's own programs, by the script that starts them. */
export const BINARIES = {
  next: 'node_modules/next/dist/bin/next',
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/@playwright/test/cli.js',
  biome: 'node_modules/@biomejs/biome/bin/biome',
  tsc: 'node_modules/@typescript/native/bin/tsc',
  depcruise: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
  knip: 'node_modules/knip/bin/knip.js',
} as const;

const END_WITH_PARENT = 'scripts/lib/end-with-parent.mjs';

export interface RunOptions {
  env?: Readonly<Record<string, string | undefined>>;
  /** `inherit` shows the output as it arrives; `pipe` returns it to the caller. */
  output?: 'inherit' | 'pipe';
  /** Another checkout of the project, whose programs are used. */
  root?: string;
  /** Whether the process ends when this one does, even if this one is killed. */
  endsWithParent?: boolean;
  /** Whether it takes only what other processes leave of the machine. */
  isInBackground?: boolean;
}

/** Starts one of the project's programs or scripts with the current Node. */
export function startNode(
  script: string,
  args: readonly string[],
  { env, output = 'inherit', root = ROOT, endsWithParent = false, isInBackground = false }: RunOptions = {},
): ChildProcess {
  const first = endsWithParent ? ['--import', pathToFileURL(join(ROOT, END_WITH_PARENT)).href] : [];
  const child = spawn(process.execPath, [...first, join(root, script), ...args], {
    cwd: root,
    // The other end of this pipe closes with this process, however it ends.
    stdio: [endsWithParent ? 'pipe' : 'ignore', output, output],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
  });
  if (isInBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return child;
}

/** Runs to the end; resolves with the exit code and, with `pipe`, the whole output. */
export function runNode(
  script: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<{ code: number; output: string }> {
  const child = startNode(script, args, options);
  let output = '';
  child.stdout?.on('data', (data: Buffer) => {
    output += data.toString();
  });
  child.stderr?.on('data', (data: Buffer) => {
    output += data.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
