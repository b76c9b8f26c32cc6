import * as typescript from 'monaco-editor/languages/features/typescript/register.js';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { Version } from '#lib/vfs/file-system.ts';
import { filesBelow, GENERATED_FOLDERS } from '#lib/vfs/files-below.ts';
import type { CheckedWorkspace } from '#studio/editing/language-services.ts';
import { loadReactTypes, type MissingModule, needsReactTypes, resolveModules } from '#studio/editing/module-types.ts';
import { isDocumentModel } from './document.ts';
import { Lines } from './lines.ts';
import { fileUri, monaco } from './monaco.ts';
import { decodeText } from './text-content.ts';

/** The maximum number of modules that the language services get. */
const MAX_FILES = 2_000;
/** The maximum size, in bytes, of a module that the language services get. Larger ones are skipped. */
const MAX_FILE_BYTES = 500_000;
/** The maximum size, in bytes, of all modules together that the language services get. */
const MAX_TOTAL_BYTES = 20_000_000;

/** The time from a change until the language services are updated, in milliseconds, so that changes are batched. */
const UPDATE_DELAY_MS = 250;

/** Matches the names of files that the language services get as modules: scripts and JSON. */
export const MODULES = /\.(?:[cm]?[jt]sx?|json)$/;

interface KnownFile {
  version: Version;
  text: string;
}

/** Keeps the modules of one workspace up to date in the TypeScript service, and finds imports that cannot be resolved. */
class WorkspaceTypes {
  readonly #workspace: CheckedWorkspace;
  #known = new Map<string, KnownFile>();
  /** The paths of all files in the workspace, including those that are not modules. */
  #paths: ReadonlySet<string> = new Set();
  #missing: ReadonlyMap<string, readonly MissingModule[]> = new Map();
  #isSent = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch: () => void;
  readonly #reading = new SerialQueue();

  constructor(workspace: CheckedWorkspace) {
    this.#workspace = workspace;
    void this.update();
    this.#unwatch = workspace.fileSystem.watch((changes) => {
      // An import can refer to a file of any type.
      if (!changes.some(({ path, type }) => MODULES.test(path) || type !== 'changed')) return;
      this.#timer ??= setTimeout(() => void this.update(), UPDATE_DELAY_MS);
    });
  }

  /** Reads changed modules and gives them to the language services. Never rejects. */
  update(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Reading fails if a file goes away meanwhile, but that change starts another update.
    return this.#reading.run(() => this.#read()).catch(() => undefined);
  }

  knows(path: string): boolean {
    return this.#known.has(path);
  }

  close(): void {
    this.#unwatch();
    clearTimeout(this.#timer);
  }

  /** The unresolved imports of a file, with lines and columns counted from 1. Empty if the file is not type-checked. */
  missingImports(path: string): readonly { line: number; column: number; length: number; message: string }[] {
    const text = this.#known.get(path)?.text;
    if (text === undefined || !isChecked(path, text)) return [];
    const lines = new Lines(text);
    return (this.#missing.get(path) ?? []).map(({ specifier, offset }) => ({
      ...lines.at(offset),
      length: specifier.length + 2,
      message: `Cannot find module '${specifier}'.`,
    }));
  }

  /** Marks the unresolved imports in an open file. */
  markMissing(model: monaco.editor.ITextModel): void {
    if (model.uri.scheme !== 'file' || model.uri.authority !== this.#workspace.id) return;
    const markers = this.missingImports(model.uri.path).map(({ line, column, length, message }) => ({
      startLineNumber: line,
      startColumn: column,
      endLineNumber: line,
      endColumn: column + length,
      message,
      severity: monaco.MarkerSeverity.Error,
    }));
    monaco.editor.setModelMarkers(model, 'imports', markers);
  }

  async #read(): Promise<void> {
    const { fileSystem } = this.#workspace;
    const known = new Map<string, KnownFile>();
    const paths = new Set<string>();
    let bytes = 0;
    let hasChanged = false;
    let modules = 0;
    for await (const { path, size } of filesBelow(fileSystem, '/', GENERATED_FOLDERS)) {
      paths.add(path);
      if (!MODULES.test(path)) continue;
      if (++modules > MAX_FILES || size > MAX_FILE_BYTES || bytes + size > MAX_TOTAL_BYTES) continue;
      bytes += size;
      const { version } = await fileSystem.stat(path);
      const before = this.#known.get(path);
      if (before?.version === version) known.set(path, before);
      else {
        const text = (await decodeText(await fileSystem.readFile(path)))?.text;
        if (text === undefined) continue;
        hasChanged = true;
        known.set(path, { version, text });
        this.#refreshModel(path, text);
      }
    }
    const isSame = !hasChanged && areEqual(paths, this.#paths) && this.#isSent;
    this.#known = known;
    this.#paths = paths;
    if (isSame) return;
    const texts = new Map([...known].map(([path, { text }]) => [path, text]));
    const isReactNeeded = needsReactTypes(texts);
    const reactTypes = isReactNeeded ? await loadReactTypes() : undefined;
    this.#isSent = !isReactNeeded || reactTypes !== undefined;
    const sources = { texts, has: (path: string) => paths.has(path) };
    const { declarations, missing } = resolveModules(sources, reactTypes !== undefined);
    this.#missing = missing;
    setSources(this.#workspace.id, texts, new Map([...(reactTypes ?? []), ...declarations]));
    for (const model of monaco.editor.getModels()) this.markMissing(model);
  }

  /** Updates the model of a file that is not open. It has one if it was only peeked at, for instance by "go to definition". */
  #refreshModel(path: string, text: string): void {
    const model = monaco.editor.getModel(fileUri(this.#workspace.id, path));
    if (model !== null && !isDocumentModel(model)) model.setValue(text);
  }
}

/** Checks whether a script is type-checked: TypeScript always, JavaScript only if it has `@ts-check`. */
export const isChecked = (path: string, text: string): boolean =>
  /\.[cm]?tsx?$/.test(path) || text.includes('@ts-check');

const areEqual = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((entry) => b.has(entry));

function setSources(
  workspaceId: string,
  texts: ReadonlyMap<string, string>,
  declarations: ReadonlyMap<string, string>,
): void {
  const libraries = new Map<string, string>();
  for (const [path, text] of texts) {
    const uri = fileUri(workspaceId, path);
    libraries.set(uri.toString(), text);
    // Imports spell a path unencoded. A file that is not a module would be declared twice.
    if (uri.toString() !== uri.toString(true) && /^\s*(?:import|export)\b/m.test(text))
      libraries.set(uri.toString(true), text);
  }
  for (const [path, text] of declarations) {
    const uri = fileUri(workspaceId, path);
    libraries.set(uri.toString(true), text);
    if (path.startsWith('/node_modules/')) continue;
    libraries.set(uri.toString(), text);
    libraries.set(path, text);
  }
  for (const defaults of [typescriptLibraries, javascriptLibraries]) defaults.set(libraries);
}

/** The files that a language service has besides the editor's models. Only changed files are sent and parsed again. */
class Libraries {
  readonly #defaults: typescript.LanguageServiceDefaults;
  #sent = new Map<string, { dispose(): void }>();

  constructor(defaults: typescript.LanguageServiceDefaults) {
    this.#defaults = defaults;
  }

  set(libraries: ReadonlyMap<string, string>): void {
    const sent = new Map<string, { dispose(): void }>();
    const present = this.#defaults.getExtraLibs();
    for (const [path, text] of libraries) {
      const before = present[path]?.content === text ? this.#sent.get(path) : undefined;
      sent.set(path, before ?? this.#defaults.addExtraLib(text, path));
    }
    for (const [path, library] of this.#sent) if (!libraries.has(path)) library.dispose();
    this.#sent = sent;
  }
}

const typescriptLibraries = new Libraries(typescript.typescriptDefaults);
const javascriptLibraries = new Libraries(typescript.javascriptDefaults);

let current: { workspace: CheckedWorkspace; types: WorkspaceTypes } | undefined;

/**
 * Gives the editor's language services the modules (scripts and JSON) of the workspace that the editor shows; during a
 * check, which has its own modules (`enterTypes`), only once the check ends.
 */
export function followTypes(workspace: CheckedWorkspace): void {
  shown = workspace;
  if (!isEntered) switchTo(workspace);
}

let shown: CheckedWorkspace | undefined;
let isEntered = false;

/**
 * Gives the language services the modules of any workspace, and resolves when they have them. The returned function gives
 * them those of the shown workspace again, and must be called before the next call of `enterTypes`.
 */
export async function enterTypes(workspace: CheckedWorkspace): Promise<() => void> {
  isEntered = true;
  await switchTo(workspace).update();
  // The services forward updates to their workers a moment later.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return () => {
    isEntered = false;
    if (shown !== undefined) switchTo(shown);
  };
}

/**
 * The imports of a file that cannot be resolved, with their places. Empty if the file is not type-checked, or if the
 * language services do not have the modules of this workspace.
 */
export const missingImports = (
  workspace: CheckedWorkspace,
  path: string,
): ReturnType<WorkspaceTypes['missingImports']> =>
  current?.workspace === workspace ? current.types.missingImports(path) : [];

monaco.editor.onDidCreateModel((model) => current?.types.markMissing(model));

export const knowsModule = (workspace: CheckedWorkspace, path: string): boolean =>
  current?.workspace === workspace && current.types.knows(path);

function switchTo(workspace: CheckedWorkspace): WorkspaceTypes {
  if (current?.workspace === workspace) return current.types;
  current?.types.close();
  current = { workspace, types: new WorkspaceTypes(workspace) };
  return current.types;
}
