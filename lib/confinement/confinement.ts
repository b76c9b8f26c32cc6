import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { endWithUs } from './end-process.ts';
import { cleanEnvironment, programFolders } from './environment.ts';
import { PROBE_TIMEOUT_MS } from './limits.ts';

/** What is protected within the folder. All paths are real and absolute, and need not exist. */
export interface Protection {
  /** What programs may not write. */
  unwritable: readonly string[];
  /** What programs may not move or replace, though they may write in it. */
  immovable: readonly string[];
}

/** What confined programs may reach. All paths are real and absolute. */
export interface ConfinementOptions {
  /** The folder that they may read and, if they are allowed to, write. */
  root: string;
  /** What they may not read, within the folder or elsewhere, besides home and the folder for temporary files. */
  unreadable: readonly string[];
  /** Looked at whenever a program is started. */
  protection(): Protection;
  /** What they may read although it is below home. */
  readable: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}

/** How a program is started. */
export interface StartOptions {
  /** Real and absolute. */
  cwd: string;
  /** Whether it may write in the folder. */
  canWrite: boolean;
  /** Whether it gets standard input. */
  hasInput?: boolean;
}

/** Starts programs that can do no harm outside of a folder: they are in a process group of their own. */
export interface Confinement {
  /** What it is, for people. `none`: programs run like any other. */
  readonly kind: 'confined' | 'none';
  /** Rejects if the program cannot be started. */
  start(argv: readonly string[], options: StartOptions): Promise<ChildProcess>;
  /** Removes what it has created. */
  close(): Promise<void>;
}

/** Programs run like any other, with an environment without keys. Only for people who have asked for it. */
export function unconfined(env: ConfinementOptions['env']): Confinement {
  return {
    kind: 'none',
    start: async ([program = '', ...rest], { cwd, hasInput = false }) =>
      started(spawn(program, rest, processOptions(cwd, cleanEnvironment(env), hasInput))),
    close: async () => undefined,
  };
}

/** Programs cannot be confined here. The message says why, and what to do. */
export class CannotConfine extends Error {
  override readonly name = 'CannotConfine';
}

/**
 * Confines programs with bubblewrap on Linux, and with the system's sandbox on macOS: they write only in the folder and
 * in a folder for temporary files, read neither home nor other temporary files, and have no network. One process can
 * confine to one folder at a time. Rejects with `CannotConfine`.
 */
export async function confine(options: ConfinementOptions): Promise<Confinement> {
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime');
  if (!SandboxManager.isSupportedPlatform()) throw new CannotConfine('this system has no sandbox that is supported');
  const { errors } = SandboxManager.checkDependencies();
  if (errors.length > 0)
    throw new CannotConfine(`${errors.join('; ')}. On Debian: apt install bubblewrap socat ripgrep`);
  const { root, unreadable, protection, readable, env } = options;
  const home = realpathSync(homedir());
  removeLeftovers(realpathSync(tmpdir()));
  const temporary = realpathSync(mkdtempSync(join(realpathSync(tmpdir()), `${TEMPORARY}${process.pid}-`)));
  // The runtime protects names such as `.bashrc` in the working directory of this process, by empty files where there are
  // none. In the folder, git would find those; the caller says what is protected there.
  const neutral = join(temporary, 'cwd');
  mkdirSync(neutral);
  const reading = [root, temporary, ...programFolders(env.PATH, home), ...readable].filter((path) => existsSync(path));
  const filesystem = (canWrite: boolean, { unwritable, immovable } = protection()) => ({
    denyRead: [home, realpathSync(tmpdir()), ...unreadable].filter((path) => existsSync(path)).map(literal),
    allowRead: reading.map(literal),
    // What is named here by itself is a mount point, which cannot be moved.
    allowWrite: [temporary, ...(canWrite ? [root, ...immovable.filter((path) => existsSync(path))] : [])].map(literal),
    denyWrite: unwritable.filter((path) => existsSync(path)).map(literal),
  });
  const network = { allowedDomains: [], deniedDomains: [], allowUnixSockets: [] };
  await SandboxManager.initialize({ network, filesystem: filesystem(true) });
  const wrapping = new SerialQueue();
  const close = async () => {
    await SandboxManager.reset();
    rmSync(temporary, { recursive: true, force: true });
  };
  const start: Confinement['start'] = async (argv, { cwd, canWrite, hasInput = false }) => {
    const script = `cd ${quote(cwd)} && export TMPDIR=${quote(temporary)} && exec ${argv.map(quote).join(' ')}`;
    const wrapped = await wrapping.run(() =>
      inDirectory(neutral, () =>
        SandboxManager.wrapWithSandboxArgv(script, '/bin/bash', { filesystem: filesystem(canWrite) }),
      ),
    );
    const [program = '', ...rest] = wrapped.argv;
    const child = await started(
      spawn(program, rest, processOptions(neutral, { ...cleanEnvironment(env), ...added(wrapped.env) }, hasInput)),
    );
    child.once('exit', () => SandboxManager.cleanupAfterCommand());
    return child;
  };
  const failure = await probe(start, root);
  if (failure === undefined) return { kind: 'confined', start, close };
  await close();
  throw new CannotConfine(failure);
}

/** How the names of folders for temporary files begin; the id of the process follows. */
const TEMPORARY = 'roundtrip-';

/** Removes folders for temporary files whose processes have ended without doing so. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = new RegExp(`^${TEMPORARY}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isProcess(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // It belongs to somebody else.
    }
  }
}

/** Whether a process with this id is running. */
function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Does something while a directory is the working directory of this process. */
async function inDirectory<T>(directory: string, task: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(directory);
  try {
    return await task();
  } finally {
    process.chdir(before);
  }
}

/** In a process group of its own, so that whatever it starts can be ended with it. */
const processOptions = (cwd: string, env: Record<string, string | undefined>, hasInput: boolean): SpawnOptions => ({
  ...{ cwd, detached: true, stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'] },
  env: env as NodeJS.ProcessEnv,
});

const literal = (path: string) => ({ path, literal: true as const });

/** Why a program cannot be confined; undefined if it can. Some containers do not allow it. */
async function probe(start: Confinement['start'], root: string): Promise<string | undefined> {
  try {
    const child = await start(['/bin/bash', '-c', 'exit 7'], { cwd: root, canWrite: false });
    let said = '';
    child.stderr?.on('data', (data: Buffer) => {
      said = `${said}${data.toString()}`.slice(0, 500);
    });
    const code = await new Promise<number | null>((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), PROBE_TIMEOUT_MS);
      child.once('close', (exit) => {
        clearTimeout(timer);
        resolve(exit);
      });
    });
    return code === 7 ? undefined : `a confined program could not be run here (${said.trim() || `exit code ${code}`})`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What the runtime adds to our environment. */
const added = (env: NodeJS.ProcessEnv): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => process.env[name] !== value));

/** A word for bash that means exactly this text. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Resolves when the process has started; rejects if it cannot be. */
function started<T extends ChildProcess>(child: T): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => {
      child.removeListener('error', reject);
      endWithUs(child);
      // An error later on shows as the end of the process.
      child.on('error', () => undefined);
      resolve(child);
    });
    child.once('error', reject);
  });
}
