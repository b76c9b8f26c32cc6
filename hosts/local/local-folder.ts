import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lazy } from '#lib/base/lazy.ts';
import type { Diagnostics } from '#lib/tools/capabilities/diagnostics.ts';
import type { JavaScriptEvaluator } from '#lib/tools/capabilities/sandbox.ts';
import type { WebAccess } from '#lib/tools/capabilities/web.ts';
import type { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { EgressRecord } from '#lib/tools/egress/egress.ts';
import { ToolHost } from '#lib/tools/execution/host.ts';
import type { KnownFile, KnownFiles } from '#lib/tools/execution/known-files.ts';
import { TEXT_MAX_BYTES } from '#lib/tools/files/text-limit.ts';
import { DiskStorage } from '#lib/vfs/disk/disk-storage.ts';
import type { Author, FileSystem } from '#lib/vfs/file-system.ts';
import { accessOf } from '#lib/vfs/folder-access.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { Journal } from '#lib/workspace/journal/journal.ts';
import type { Recovery } from '#lib/workspace/journal/recover.ts';
import type { Folder } from '#lib/workspace/journal/snapshot.ts';
import { ownApiFiles } from './api-files.ts';
import type { FolderConfig } from './config.ts';
import { FolderRunner } from './folder-runner.ts';
import { FolderShell, isProgram, mayConfine } from './folder-shell.ts';
import { FolderWatcher } from './folder-watcher.ts';
import { limitedFiles } from './limited-files.ts';
import { CHECK_TIMEOUT_MS } from './limits.ts';
import { localDocuments } from './local-documents.ts';
import { FolderError, OwnFiles } from './own-files.ts';
import { folderTools } from './tools.ts';
import { type AskAboutConfig, type OpenedConfig, openConfig } from './trust/open-config.ts';
import { isInFolder, workspaceToolAnswersFile } from './trust/own-places.ts';
import type { DescribedTools } from './trust/pinned-tools.ts';
import { WorkspaceToolAnswers } from './workspace-tools/workspace-tool-answers.ts';
import { WorkspaceTools } from './workspace-tools/workspace-tools.ts';

/** Options for opening a folder. */
export interface LocalFolderOptions {
  /** The path of the folder. */
  directory: string;
  /** The configuration's file; by default, the folder's own. */
  configFile?: string | undefined;
  /** Paths of files that describe HTTP APIs, whose tools are offered besides those of the person's own APIs. */
  apiFiles?: readonly string[] | undefined;
  /** Whether programs run unconfined, like any other, because the person has asked for it. */
  isUnconfined: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** Shows a notice to the person. */
  onNotice(text: string): void;
  /** Asks about a configuration that allows something; nobody can be asked if absent. */
  askAboutConfig?: AskAboutConfig | undefined;
  /** Whether a notice tells the person that the configuration allows nothing before they trust it; true by default. */
  saysWithheld?: boolean;
  /** The record of the requests that calls send; nothing is recorded if absent. */
  egress?: Pick<EgressRecord, 'sent'> | undefined;
}

const WITHHELD = (shown: string): string =>
  `${shown} allows nothing yet, because you have not trusted it as it is. Look at it, then run “roundtrip trust” in this folder.`;

/** The maximum number of files written by a call that are remembered as known to the model. */
const WRITTEN_MAX = 200;

/**
 * A folder on disk with everything that tools can use there. Parts that are not needed at once are opened when they are first
 * used.
 */
export class LocalFolder {
  /** The program's own files in the folder. */
  readonly own: OwnFiles;
  /** The configuration, without what it allows if the person has not trusted it. */
  readonly config: FolderConfig;
  /** The same configuration, with its file's content, and whether the person trusts it. */
  readonly openedConfig: OpenedConfig;
  /** The record of what has changed in the folder, by which turns can be undone. */
  readonly journal: Journal;
  /** All files, without the limits that tools have. */
  readonly files: FileSystem;
  /** All tools but those that the folder comes with. */
  readonly registry: ToolRegistry;
  /** The tools that are offered, with the capabilities that they run with. */
  readonly host: ToolHost;
  /** The tools that the folder comes with. Those that the person has allowed are offered once they were loaded. */
  readonly workspaceTools: WorkspaceTools;
  readonly #storage: DiskStorage;
  readonly #shell: FolderShell;
  readonly #runner: FolderRunner;
  readonly #closing: (() => Promise<void> | void)[] = [];
  /** Ids of the calls that were passed to `hasCommitted`, so that they may have run in another process. */
  readonly #asked = new Set<string>();
  readonly #onNotice: (text: string) => void;
  #apis: DescribedTools | undefined;
  #recovered: Promise<Recovery> | undefined;

  /** Opens a folder. Rejects with `FolderError`, and with `ConfigError` for a configuration that cannot be used. */
  static async open(options: LocalFolderOptions): Promise<LocalFolder> {
    const own = new OwnFiles(realFolder(options.directory), options.env);
    own.check();
    const { configFile } = options;
    const place = configFile ?? own.at('config.yaml');
    const shown = configFile ?? '.roundtrip/config.yaml';
    const opened = await openConfig(
      { root: own.root, path: resolve(place), shown, isRequired: configFile !== undefined },
      { env: options.env, ask: options.askAboutConfig },
    );
    if (opened.withheld.length > 0 && options.saysWithheld !== false) options.onNotice(WITHHELD(shown));
    const journal = new Journal(own.at('journal'), own.root);
    const storage = await DiskStorage.open(own.root, {
      accessOf,
      protectionNow: () => own.gitCheck(),
      staging: own.staging,
      recorder: recorderOf(own, journal),
    });
    const folder = new LocalFolder(own, opened, journal, storage, options);
    await folder.#addApis(options);
    return folder;
  }

  private constructor(
    own: OwnFiles,
    openedConfig: OpenedConfig,
    journal: Journal,
    storage: DiskStorage,
    options: LocalFolderOptions,
  ) {
    const { env, isUnconfined, onNotice } = options;
    this.own = own;
    const { config } = openedConfig;
    this.openedConfig = openedConfig;
    this.config = config;
    this.journal = journal;
    this.#storage = storage;
    this.#onNotice = onNotice;
    const files = new TreeFileSystem(storage);
    this.files = files;
    this.#runner = new FolderRunner(own.root, config.limits.results);
    this.#shell = new FolderShell({
      own,
      env,
      isUnconfined,
      readable: READABLE,
      runner: this.#runner,
      deny: config.commands.deny,
      note: (author, run) => this.#note(author, run),
      onNotice,
      onCannotConfine: (reason) =>
        onNotice(`Programs cannot be confined here: ${reason}. Commands run in a small shell.`),
    });
    const hasPrograms = isUnconfined || mayConfine(env.PATH);
    this.registry = folderTools(config, hasPrograms);
    const answers = workspaceToolAnswersFile(env);
    this.workspaceTools = new WorkspaceTools({
      files,
      root: own.root,
      canRun: hasPrograms,
      onNotice,
      isTaken: (name) => this.registry.get(name) !== undefined,
      // Tools could allow themselves.
      answers: isInFolder(own.root, answers) ? undefined : new WorkspaceToolAnswers(answers),
    });
    const capabilities = {
      files: limitedFiles(files, config.limits.fileBytes),
      search: this.#runner,
      shell: this.#shell,
      diagnostics: this.#diagnostics(options, hasPrograms),
      ...(hasPrograms && { sandbox: this.#sandbox() }),
      documents: localDocuments,
      ...(config.web.enabled && { web: webOf(options, config.web.allow) }),
    };
    this.host = new ToolHost(this.registry, capabilities, this.workspaceTools);
  }

  async #addApis({ apiFiles, env, onNotice, egress }: LocalFolderOptions): Promise<void> {
    const own = ownApiFiles(env);
    const written = own.filter((file) => isInFolder(this.own.root, file));
    for (const file of written)
      onNotice(`${file} is in the folder, where tools could change it. To use its API, pass --api ${file}`);
    const files = [...(apiFiles ?? []), ...own.filter((file) => !written.includes(file))];
    if (files.length === 0) return;
    const { addApis } = await import('./apis.ts');
    this.#apis = await addApis(this.registry, {
      files,
      env,
      root: this.own.root,
      onNotice,
      egress,
    });
  }

  /** The HTTP APIs that are offered; undefined if there are none. */
  get apis(): DescribedTools | undefined {
    return this.#apis;
  }

  /**
   * Takes back changes that a process left half made when it ended, and records what its interrupted commands changed. Runs
   * once for this object. Rejects with Node's errors if the journal cannot be read or written.
   */
  recover(): Promise<Recovery> {
    this.#recovered ??= this.#recover();
    return this.#recovered;
  }

  /** The folder as the functions of the journal expect it. */
  get place(): Folder {
    return { root: this.own.root, storage: this.#storage, files: this.files };
  }

  /** Returns a watcher for changes by other programs. It ends when the folder is closed. */
  watch(): FolderWatcher {
    const watcher = new FolderWatcher(this.own.root, this.#storage);
    this.#closing.push(() => watcher.close());
    return watcher;
  }

  /** Takes a call over from the executor that has claimed it (`claimant`): its later commits for the call are refused. */
  fence(toolCallId: string, claimant: string): Promise<void> {
    return this.#storage.fence(toolCallId, claimant);
  }

  /** Checks whether a call has changed files, in whichever process it ran. */
  async hasCommitted(toolCallId: string): Promise<boolean> {
    await this.recover();
    this.#asked.add(toolCallId);
    return this.journal.actionsOf(toolCallId).length > 0;
  }

  /**
   * Returns the paths and hashes of the files that a call wrote and whose whole content the model knows: files that were new or
   * empty, and files whose version before is in `known`.
   */
  async writtenBy(toolCallId: string, known: Pick<KnownFiles, 'hashOf'>): Promise<KnownFile[]> {
    const written = new Map<string, KnownFile>();
    // Reading the whole journal takes a while, and is only needed for calls of other processes.
    const isElsewhere = this.#asked.has(toolCallId);
    const actions = isElsewhere ? this.journal.actionsOf(toolCallId) : this.journal.ownActionsOf(toolCallId);
    for (const { path, before, after } of actions.flatMap(({ changes }) => changes)) {
      const isKnown =
        before?.type !== 'file' || before.size === 0 || before.hash === (written.get(path)?.hash ?? known.hashOf(path));
      if (after?.type === 'file' && after.hash !== undefined && isKnown) written.set(path, { path, hash: after.hash });
      else written.delete(path);
    }
    return [...written.values()].slice(0, WRITTEN_MAX);
  }

  /** Returns the text with a hash from the journal; undefined if it was not kept, is too large, or is not text. */
  async textOf(hash: string): Promise<string | undefined> {
    const data = this.journal.contents.get(hash);
    return data === undefined || data.byteLength > TEXT_MAX_BYTES ? undefined : decodeUtf8(data);
  }

  /** Ends all programs that were started for the folder. */
  async close(): Promise<void> {
    this.#runner.close();
    await Promise.all(this.#closing.map((close) => close()));
    await this.#shell.close();
    this.journal.close();
  }

  async #recover(): Promise<Recovery> {
    const { recover } = await import('#lib/workspace/journal/recover.ts');
    const removed = this.own.git.recover();
    if (removed.length > 0)
      this.#onNotice(
        `A command that was interrupted had written what git would run: ${removed.join(', ')}. It is in ${this.own.at('removed')} now.`,
      );
    const recovery = await recover(this.journal, this.place);
    const { takenBack, lost, kept } = recovery;
    if (takenBack > 0) this.#onNotice('A change that was interrupted in the middle was taken back.');
    if (lost.length > 0) this.#onNotice(`These could not be brought back: ${lost.join(', ')}.`);
    if (kept.length > 0)
      this.#onNotice(`What was left of them is in ${kept.join(', ')}. Look through it, then delete it.`);
    return recovery;
  }

  #note<T>(author: Author, run: () => Promise<T>): Promise<T> {
    this.own.create();
    const call = author.type === 'call' ? author.toolCallId : null;
    return this.journal.command(this.place, call, run);
  }

  #diagnostics({ isUnconfined, env }: LocalFolderOptions, hasPrograms: boolean): Diagnostics {
    const open = lazy(async (): Promise<Diagnostics> => {
      const [{ LanguageServers }, { hasTypescriptServer, typescriptServer }, { notFound }] = await Promise.all([
        import('#lib/workspace/language-servers/language-servers.ts'),
        import('#lib/workspace/language-servers/typescript-server.ts'),
        import('#lib/workspace/language-servers/server-failure.ts'),
      ]);
      const others = Object.entries(this.config.languageServers).map(([name, server]) => ({ name, ...server }));
      const typescript = hasTypescriptServer() ? typescriptServer() : undefined;
      const servers = new LanguageServers({
        root: this.own.root,
        files: this.files,
        timeoutMs: CHECK_TIMEOUT_MS,
        servers: [...(typescript === undefined ? [] : [typescript]), ...others],
        confine: async (config) => {
          const { command } = config;
          if (isUnconfined || (config === typescript && !hasPrograms)) return { argv: command, env: {} };
          // It must not be started without a confinement: a command could put a program there meanwhile.
          if (!isProgram(command[0] ?? '', this.own.root, env.PATH)) throw notFound(config);
          const confinement = await this.#shell.confinement();
          return confinement.wrap(command, { cwd: this.own.root, canWrite: false });
        },
      });
      this.#closing.push(() => servers.close());
      return servers;
    });
    return { check: async (...request) => (await open()).check(...request) };
  }

  #sandbox(): JavaScriptEvaluator {
    const open = lazy(async (): Promise<JavaScriptEvaluator> => {
      const [{ ProcessSandbox }, { NODE_ARGUMENTS }] = await Promise.all([
        import('#lib/sandbox/node/process-sandbox.ts'),
        import('#lib/sandbox/node/limits.ts'),
      ]);
      const sandbox = new ProcessSandbox({
        start: async (script) => {
          const confinement = await this.#shell.confinement();
          const command = [process.execPath, ...NODE_ARGUMENTS, script];
          return confinement.start(command, { cwd: this.own.root, canWrite: false, hasInput: true });
        },
      });
      this.#closing.push(() => sandbox.close());
      return sandbox;
    });
    return { evaluate: async (...request) => (await open()).evaluate(...request) };
  }
}

/** The program's code (its sources or its bundle), its packages, and its Node, which confined programs need to read. */
const READABLE = [
  join(import.meta.dirname, '..', '..', 'lib'),
  import.meta.dirname,
  join(import.meta.dirname, '..', '..', 'node_modules'),
  join(import.meta.dirname, '..', '..', 'package.json'),
  process.execPath,
];

/**
 * Makes the access of tools to the web, whose code is loaded when it is first needed. `listed`: the hosts that the
 * configuration allows.
 */
function webOf({ egress }: Pick<LocalFolderOptions, 'egress'>, listed: readonly string[]): WebAccess {
  const web = lazy(async (): Promise<WebAccess> => {
    const { localWeb } = await import('./web/local-web.ts');
    return localWeb({ sent: (...request) => egress?.sent(...request) }, { listed });
  });
  return {
    request: async (...request) => (await web()).request(...request),
    read: async (...document) => (await web()).read(...document),
  };
}

/** Makes a recorder that notes commits in the journal, and creates `.roundtrip` when the first one begins. */
const recorderOf = (own: OwnFiles, journal: Journal) => ({
  begin(...commit: Parameters<Journal['begin']>) {
    own.create();
    return journal.begin(...commit);
  },
});

function realFolder(directory: string): string {
  try {
    const root = realpathSync(directory);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new FolderError(`There is no folder ${directory}.`);
    if (code !== 'ENOTDIR') throw new FolderError(`The folder ${directory} cannot be opened (${code ?? error}).`);
  }
  throw new FolderError(`${directory} is a file, not a folder.`);
}
