import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '#lib/base/message-of.ts';
import { giveSigns, isRunning, readOwner, self } from '#lib/base/processes/owner.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { endWithUs } from './end-process.ts';
import { cleanEnvironment, findProgram, pathOutside, programFolders } from './environment.ts';
import { writeKeyringFilter } from './keyring-filter.ts';
import { PROBE_TIMEOUT_MS } from './limits.ts';

/**
 * The paths within the folder of a confinement (`root`) that confined programs may not write, move or replace. All are real and
 * absolute. A path that does not exist when a program is started is not protected from that program.
 */
export interface Protection {
  /** The paths that programs may not write. */
  unwritable: readonly string[];
  /** The paths that programs may not move or replace, though they may write in them. */
  immovable: readonly string[];
}

/** Options of a confinement: what programs in it may reach. All paths are real and absolute. */
interface ConfinementOptions {
  /** The folder that programs may read and, if started with `canWrite`, write. */
  root: string;
  /** The paths that programs may not read, in the folder or elsewhere, besides home and folders for temporary files. */
  unreadable: readonly string[];
  /** Returns the paths in the folder that programs may not change. Called whenever a program is started. */
  protection(): Protection;
  /** The paths that programs may read although they are below home. */
  readable: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}

/** Options for starting a program. */
export interface StartOptions {
  /** The working directory, real and absolute. */
  cwd: string;
  /** Whether the program may write in the confinement's folder (`root`), except at protected paths. */
  canWrite: boolean;
  /** Whether the program gets a pipe as its standard input. By default, it gets none. */
  hasInput?: boolean;
}

/** A command that starts a program in its confinement, and the variables that it needs for that. */
interface ConfinedCommand {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}

/** Starts programs, each in a process group of its own. Unless `kind` is `none`, they can do no harm outside of a folder. */
export interface Confinement {
  /** The kind of confinement, for people. `none`: programs run like any other. */
  readonly kind: 'confined' | 'none';
  /**
   * Returns a command that starts a program in the confinement, for a caller that starts it itself. Rejects with the reason if
   * the program cannot be confined.
   */
  wrap(argv: readonly string[], options: Omit<StartOptions, 'hasInput'>): Promise<ConfinedCommand>;
  /**
   * Starts a program, and resolves with its process once it has started. The program is ended when this process exits. Rejects
   * if it cannot be started.
   */
  start(argv: readonly string[], options: StartOptions): Promise<ChildProcess>;
  /** Removes the folder for temporary files and the helpers that the confinement has created. */
  close(): Promise<void>;
}

/**
 * A confinement that confines nothing, only for people who have asked for it: `wrap` returns the command unchanged, and `start`
 * gives programs only those variables of the environment `env` that cannot hold keys.
 */
export function unconfined(env: ConfinementOptions['env']): Confinement {
  return {
    kind: 'none',
    wrap: async (argv) => ({ argv, env: {} }),
    start: async ([program = '', ...rest], { cwd, hasInput = false }) =>
      started(spawn(program, rest, processOptions(cwd, cleanEnvironment(env), hasInput))),
    close: async () => undefined,
  };
}

/** The error if programs cannot be confined on this machine. The message says why and, if known, what to do. */
export class CannotConfine extends Error {
  override readonly name = 'CannotConfine';
}

/**
 * Confines programs with bubblewrap on Linux, and with the system's sandbox on macOS: they write only in the folder `root` and
 * in a folder for temporary files of their own, and have no network. Of home, they read only `root`, installed programs, and
 * the paths in `readable`; of other temporary files, none. One process can confine to one folder at a time. Rejects with
 * `CannotConfine`.
 */
export async function confine(options: ConfinementOptions): Promise<Confinement> {
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime');
  if (!SandboxManager.isSupportedPlatform()) throw new CannotConfine('this system has no sandbox that is supported');
  const { errors } = SandboxManager.checkDependencies();
  if (errors.length > 0)
    throw new CannotConfine(`${errors.join('; ')}. On Debian: apt install bubblewrap socat ripgrep`);
  const { root, unreadable, protection, readable, env } = options;
  const homes = realPaths([homedir(), ...loginHome()]);
  removeLeftovers(realpathSync(tmpdir()));
  const own = realpathSync(mkdtempSync(join(realpathSync(tmpdir()), TEMPORARY)));
  writeFileSync(join(own, OWNER), JSON.stringify(self));
  const endSigns = giveSigns(join(own, OWNER));
  const keyringFilter = writeKeyringFilter(own);
  const temporary = join(own, 'files');
  // The runtime protects names such as `.bashrc` in the working directory of this process, by empty files where there are
  // none. In the folder, git would find those; the caller says what is protected there.
  const neutral = join(temporary, 'cwd');
  mkdirSync(neutral, { recursive: true });
  const programs = homes.flatMap((home) => programFolders(env.PATH, home));
  // Programs that confine others must not be ones that those could have written.
  const trustedPath = pathOutside(env.PATH, root);
  const relay = join(own, 'relay');
  mkdirSync(relay);
  const reading = [root, temporary, relay, ...programs, ...readable].filter((path) => existsSync(path));
  const closed = [...homes, ...realPaths([tmpdir(), ...OTHER_TEMPORARY])];
  const logs = LOGS.map((path) => join(homedir(), path));
  const filesystem = (canWrite: boolean, { unwritable, immovable } = protection()) => ({
    denyRead: [...closed, ...unreadable].filter((path) => existsSync(path)).map(literal),
    allowRead: reading.map(literal),
    // A path that is named here by itself is a mount point, which cannot be moved.
    allowWrite: [temporary, ...(canWrite ? [root, ...immovable.filter((path) => existsSync(path))] : [])].map(literal),
    denyWrite: [...unwritable, ...logs].filter((path) => existsSync(path)).map(literal),
  });
  const network = { allowedDomains: [], deniedDomains: [], allowUnixSockets: [] };
  try {
    const helpers = {
      ripgrep: { command: findProgram('rg', trustedPath) ?? 'rg' },
      ...mortalRelay(relay, trustedPath),
    };
    await withoutSignalHandlers(() => SandboxManager.initialize({ network, filesystem: filesystem(true), ...helpers }));
  } catch (error) {
    endSigns();
    rmSync(own, { recursive: true, force: true });
    throw new CannotConfine(messageOf(error));
  }
  const wrapping = new SerialQueue();
  const close = async () => {
    endSigns();
    await SandboxManager.reset();
    rmSync(own, { recursive: true, force: true });
  };
  const wrap: Confinement['wrap'] = async (argv, { cwd, canWrite }) => {
    const script = `cd ${quote(cwd)} && export TMPDIR=${quote(temporary)} PATH=${quote(env.PATH ?? '')} && exec ${argv.map(quote).join(' ')}`;
    const wrapped = await wrapping.run(() =>
      inDirectory(neutral, () =>
        SandboxManager.wrapWithSandboxArgv(
          script,
          '/bin/bash',
          { filesystem: filesystem(canWrite) },
          undefined,
          undefined,
          // Otherwise, programs would find the whole command, with its paths, in their environment.
          { commandId: 'command' },
        ),
      ),
    );
    return { argv: furtherConfined(wrapped.argv, keyringFilter), env: { ...added(wrapped.env), PATH: trustedPath } };
  };
  const start: Confinement['start'] = async (argv, { hasInput = false, ...options }) => {
    const wrapped = await wrap(argv, options);
    const [program = '', ...rest] = wrapped.argv;
    const child = await started(
      spawn(program, rest, processOptions(neutral, { ...cleanEnvironment(env), ...wrapped.env }, hasInput)),
    );
    child.once('exit', () => SandboxManager.cleanupAfterCommand());
    return child;
  };
  const failure = await probe(start, root);
  if (failure === undefined) return { kind: 'confined', wrap, start, close };
  await close();
  throw new CannotConfine(failure);
}

/**
 * Lets the sandbox runtime's network relays end with this process, even if it is killed; otherwise, they would stay for ever.
 * Writes a script to `place` that the runtime starts instead of `socat`, and returns the option for that. Without `setpriv`,
 * the option names `socat` itself; without `socat`, and on other systems than Linux, it is empty. `place`: a folder in which no
 * confined program may write. `path`: the folders with programs, as in `PATH`.
 */
function mortalRelay(place: string, path: string): { socatPath?: string } {
  const [setpriv, socat] = [findProgram('setpriv', path), findProgram('socat', path)];
  if (process.platform !== 'linux' || socat === undefined) return {};
  if (setpriv === undefined) return { socatPath: socat };
  const socatPath = join(place, 'socat');
  writeFileSync(socatPath, `#!/bin/sh\nexec ${quote(setpriv)} --pdeathsig KILL ${quote(socat)} "$@"\n`, {
    mode: 0o755,
  });
  return { socatPath };
}

/** The folders with temporary files besides the one that the environment names. */
const OTHER_TEMPORARY = ['/tmp', '/var/tmp', `/run/user/${process.getuid?.()}`];

/** The folders below home in which the runtime lets programs write if they may read them. The confinement denies that. */
const LOGS = ['.npm/_logs', '.claude/debug'];

/**
 * Settings of the kernel, which the user root could change in spite of the confinement, as in the list of Docker. Programs may
 * only read them.
 */
const KERNEL_READ_ONLY = ['acpi', 'bus', 'fs', 'irq', 'scsi', 'sys', 'sysrq-trigger'].map((name) => `/proc/${name}`);
/** Files of the kernel that nobody should read, as in the list of Docker. Programs find them empty. */
const KERNEL_HIDDEN = ['kcore', 'keys', 'latency_stats', 'sched_debug', 'timer_list'].map((name) => `/proc/${name}`);

/** The home of the user of this process, which the environment may not name; none if the system does not know the user. */
function loginHome(): string[] {
  try {
    return [userInfo().homedir];
  } catch {
    return [];
  }
}

/** Returns the real paths of those that exist, except for the machine's root, which contains everything. */
const realPaths = (paths: readonly string[]): string[] =>
  [...new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync(path)))].filter(
    (path) => path !== '/',
  );

/**
 * Adds to a command of the sandbox runtime what it has no options for: a namespace for shared memory, semaphores and message
 * queues; the filter for keyrings; the settings of the kernel; and an empty folder in place of the one that all programs of the
 * runtime share. On other systems than Linux, returns the command as it is. Throws for a command that is so long that the
 * runtime starts bubblewrap in another way.
 */
function furtherConfined(argv: readonly string[], keyringFilter: string | undefined): readonly string[] {
  if (process.platform !== 'linux') return argv;
  const script = argv.at(-1) ?? '';
  if (!script.startsWith('bwrap ')) throw new Error('It is too long. Write it to a file, and run that.');
  const mounts = [
    ...KERNEL_READ_ONLY.filter((path) => existsSync(path)).map((path) => `--ro-bind ${path} ${path}`),
    ...KERNEL_HIDDEN.filter((path) => existsSync(path)).map((path) => `--ro-bind /dev/null ${path}`),
    '--tmpfs /tmp/claude',
  ];
  const [filter, input] = keyringFilter === undefined ? ['', ''] : ['--seccomp 9', `9<${quote(keyringFilter)}`];
  const bwrap = `bwrap() {
    local given=()
    while [ "$1" != -- ]; do given+=("$1"); shift; done
    exec bwrap "\${given[@]}" --unshare-ipc ${mounts.join(' ')} ${filter} "$@" ${input}
  }`;
  return argv.with(-1, `${bwrap}\n${script}`);
}

/** The beginning of the names of folders for temporary files. */
const TEMPORARY = 'roundtrip-confined-';
/** The name of the file in such a folder that says which process the folder belongs to. */
const OWNER = 'owner.json';

/** Removes the folders for temporary files of processes that have ended without removing them. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(TEMPORARY)) continue;
    const place = join(folder, name, OWNER);
    const owner = readOwner(place);
    if (owner === undefined || isRunning(owner, place)) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // It belongs to somebody else.
    }
  }
}

/**
 * Runs a task, and removes the handlers for SIGINT and SIGTERM that it adds. Those of the sandbox runtime would cancel its
 * own start and then leave a process behind; here, the caller closes it.
 */
async function withoutSignalHandlers<T>(task: () => Promise<T>): Promise<T> {
  const remove = (name: string | symbol, listener: () => void) => {
    if (name === 'SIGINT' || name === 'SIGTERM') queueMicrotask(() => process.removeListener(name, listener));
  };
  process.on('newListener', remove);
  try {
    return await task();
  } finally {
    process.off('newListener', remove);
  }
}

/** Runs a task while a directory is the working directory of this process. */
async function inDirectory<T>(directory: string, task: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(directory);
  try {
    return await task();
  } finally {
    process.chdir(before);
  }
}

/** The options for a process in a group of its own, so that whatever it starts can be ended with it. */
const processOptions = (cwd: string, env: Record<string, string | undefined>, hasInput: boolean): SpawnOptions => ({
  cwd,
  detached: true,
  stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  env: env as NodeJS.ProcessEnv,
});

const literal = (path: string) => ({ path, literal: true as const });

/**
 * Starts a program to find out whether programs can be confined here. Resolves with undefined if they can be, otherwise with
 * the reason why not: some containers do not allow it.
 */
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
    return messageOf(error);
  }
}

/** Returns the variables of `env` that the sandbox runtime has added to this process's environment, or changed. */
const added = (env: NodeJS.ProcessEnv): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => process.env[name] !== value));

/** Quotes a text as a word for bash. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Resolves when a process has started; from then on, it ends with this process. Rejects if it cannot be started. */
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
