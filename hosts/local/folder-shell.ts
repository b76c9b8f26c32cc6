import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CannotConfine, type Confinement, confine, unconfined } from '#lib/confinement/confinement.ts';
import { findProgram } from '#lib/confinement/environment.ts';
import type { Shell, ShellOutcome } from '#lib/tools/capabilities/shell.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { Author } from '#lib/vfs/file-system.ts';
import type { FolderRunner } from './folder-runner.ts';
import type { OwnFiles } from './own-files.ts';

/** Options of a folder's shell. */
interface FolderShellOptions {
  own: OwnFiles;
  /** Commands that never run, by how they begin. */
  deny: readonly string[];
  /** Whether programs run unconfined, like any other, because the person has asked for it. */
  isUnconfined: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** The paths below home that programs may read, although the rest of home is hidden from them. */
  readable: readonly string[];
  runner: FolderRunner;
  /** Runs a command, and records its changes in the journal. */
  note<T>(author: Author, run: () => Promise<T>): Promise<T>;
  /** Shows a notice to the person. */
  onNotice(text: string): void;
  /** Called once if programs cannot be confined here, with the reason. */
  onCannotConfine(reason: string): void;
}

/** The programs that confine others on Linux. */
const HELPERS = ['bwrap', 'socat', 'rg'];

/**
 * Checks whether this machine can probably confine programs to a folder: macOS always can, Linux if the programs that
 * confine others are in `path`, the variable `PATH`, and other systems never. Only an attempt can tell for sure.
 */
export function mayConfine(path: string | undefined, platform = process.platform): boolean {
  if (platform === 'darwin') return true;
  return platform === 'linux' && HELPERS.every((name) => findProgram(name, path) !== undefined);
}

/** Checks whether a program exists, by its name in `path`, the variable `PATH`, or by its path from `directory`. */
export const isProgram = (program: string, directory: string, path: string | undefined): boolean =>
  program.includes('/') ? existsSync(resolve(directory, program)) : findProgram(program, path) !== undefined;

/**
 * Runs commands in a folder: with the machine's bash, confined to the folder. Where programs cannot be confined, a small shell
 * that knows only the folder runs the commands instead. If the person has asked for it, bash runs unconfined. `GitGuard` takes
 * away what a command creates for git to run; the command's standard error and a notice then say so.
 */
export class FolderShell implements Shell {
  readonly #options: FolderShellOptions;
  #opened: Promise<{ shell: Shell; notice?: string }> | undefined;
  #confinement: Promise<Confinement | CannotConfine> | undefined;

  constructor(options: FolderShellOptions) {
    this.#options = options;
  }

  async run(command: string, options: Parameters<Shell['run']>[1]): Promise<ShellOutcome> {
    this.#opened ??= this.#open();
    const { shell, notice = '' } = await this.#opened;
    if (options.abortSignal.aborted) throw new ToolFailure('aborted', 'Stopped by the user before it ran.');
    const notes: string[] = [];
    const guards = {
      onRemoved: (paths: readonly string[]) =>
        void notes.push(
          `Removed again, because git would run programs from there: ${paths.join(', ')}. What was there is in .roundtrip/removed, or beside it under a name with “.removed-”.`,
        ),
      onFailed: (folders: readonly string[]) =>
        void notes.push(
          `These folders could not be checked for programs that git would run: ${folders.join(', ')}. Look through them before you use git.`,
        ),
      onLost: (paths: readonly string[]) =>
        void notes.push(`The git repository in ${paths.join(', ')} is destroyed: its history cannot be undone.`),
    };
    const said = () => notes.map((note) => `\n[${note}]`).join('');
    try {
      const outcome = await this.#options.own.git.whileGuarded(() => shell.run(command, options), guards);
      return { ...outcome, stderr: `${outcome.stderr}${said()}${notice}` };
    } catch (error) {
      throw error instanceof ToolFailure && notes.length > 0
        ? new ToolFailure(error.code, `${error.message}${said()}`, error.files)
        : error;
    } finally {
      for (const note of notes) this.#options.onNotice(note);
    }
  }

  /**
   * Returns the confinement for programs other than shell commands, such as language servers. Rejects with `ToolFailure` if
   * programs cannot be confined here.
   */
  async confinement(): Promise<Confinement> {
    const confinement = await this.#confine();
    if (!(confinement instanceof CannotConfine)) return confinement;
    throw new ToolFailure(
      'failed',
      `It cannot be run: programs cannot be confined here, because ${confinement.message}.`,
    );
  }

  async close(): Promise<void> {
    // One that could not be made has nothing to close.
    const confinement = await this.#confinement?.catch(() => undefined);
    if (confinement !== undefined && !(confinement instanceof CannotConfine)) await confinement.close();
  }

  async #open(): Promise<{ shell: Shell; notice?: string }> {
    const { own, deny, note, runner } = this.#options;
    const [confinement, { ProcessShell }, { refusal }] = await Promise.all([
      this.#confine(),
      import('#lib/confinement/process-shell.ts'),
      import('#lib/confinement/commands/command-rules.ts'),
    ]);
    if (!(confinement instanceof CannotConfine))
      return { shell: new ProcessShell({ root: own.root, confinement, deny, note }) };
    const shell: Shell = {
      async run(command, options) {
        const reason = refusal(command, { deny }, { root: own.root, cwd: options.cwd });
        if (reason !== undefined) throw new ToolFailure('denied', `Not run. ${reason}`);
        return note(options.author, () => runner.run(command, options));
      },
    };
    const notice = `\n[Programs cannot be confined here, because ${confinement.message}. So this ran in a small shell that knows only the folder and the usual text tools.]`;
    return { shell, notice };
  }

  #confine(): Promise<Confinement | CannotConfine> {
    this.#confinement ??= this.#tryToConfine();
    return this.#confinement;
  }

  async #tryToConfine(): Promise<Confinement | CannotConfine> {
    const { own, isUnconfined, env, readable, onCannotConfine } = this.#options;
    if (isUnconfined) return unconfined(env);
    // Otherwise, a command could create it, and give itself permissions for the next time.
    own.create();
    try {
      return await confine({
        root: own.root,
        unreadable: own.hidden,
        protection: () => own.protection,
        readable,
        env,
      });
    } catch (error) {
      if (!(error instanceof CannotConfine)) throw error;
      onCannotConfine(error.message);
      return error;
    }
  }
}
