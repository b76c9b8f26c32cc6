import * as typescript from 'monaco-editor/languages/features/typescript/register.js';
import type { OpenedWorkspace } from '#components/runtime/opened-workspace.ts';
import type { Version } from '#lib/vfs/file-system.ts';
import { filesBelow, TOOL_FOLDERS } from '#lib/vfs/files-below.ts';
import { isOpen } from './documents.ts';
import { fileUri, monaco } from './monaco.ts';
import { decodeText } from './text-content.ts';

/** What the language services know of the files that are not open: so many, so large each, and in all, in bytes. */
const MAX_FILES = 2_000;
const MAX_FILE_BYTES = 500_000;
const MAX_TOTAL_BYTES = 20_000_000;

/** How long after a change the language services hear of it, with what changed meanwhile, in milliseconds. */
const UPDATE_DELAY_MS = 250;

/** What can be imported. */
export const MODULES = /\.(?:[cm]?[jt]sx?|json)$/;

interface KnownFile {
  version: Version;
  text: string;
}

/** The sources of one workspace, as the TypeScript service has them. */
export class WorkspaceTypes {
  readonly #workspace: OpenedWorkspace;
  #known = new Map<string, KnownFile>();
  #isSent = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch: () => void;
  #reading: Promise<void> = Promise.resolve();

  constructor(workspace: OpenedWorkspace) {
    this.#workspace = workspace;
    void this.update();
    this.#unwatch = workspace.fileSystem.watch((changes) => {
      if (!changes.some(({ path }) => MODULES.test(path))) return;
      this.#timer ??= setTimeout(() => void this.update(), UPDATE_DELAY_MS);
    });
  }

  /** Resolves when the language services have the files as they are now. */
  update(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reading = this.#reading.then(() => this.#read()).catch(() => undefined);
    return this.#reading;
  }

  knows(path: string): boolean {
    return this.#known.has(path);
  }

  close(): void {
    this.#unwatch();
    clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    const { fileSystem } = this.#workspace;
    const known = new Map<string, KnownFile>();
    let bytes = 0;
    let hasChanged = false;
    let modules = 0;
    for await (const { path, size } of filesBelow(fileSystem, '/', TOOL_FOLDERS)) {
      if (!MODULES.test(path)) continue;
      if (++modules > MAX_FILES) break;
      if (size > MAX_FILE_BYTES || bytes + size > MAX_TOTAL_BYTES) continue;
      bytes += size;
      const { version } = await fileSystem.stat(path);
      const before = this.#known.get(path);
      if (before?.version === version) known.set(path, before);
      else {
        const text = decodeText(await fileSystem.readFile(path));
        if (text === undefined) continue;
        hasChanged = true;
        known.set(path, { version, text });
        this.#refreshModel(path, text);
      }
    }
    if (!hasChanged && known.size === this.#known.size && this.#isSent) return;
    this.#isSent = true;
    this.#known = known;
    setSources(this.#workspace.id, known);
  }

  /** A file that was looked into, by "go to definition" for instance, has a model without being open. */
  #refreshModel(path: string, text: string): void {
    if (isOpen(this.#workspace.id, path)) return;
    monaco.editor.getModel(fileUri(this.#workspace.id, path))?.setValue(text);
  }
}

/**
 * The npm packages that a workspace imports are not there, and neither are the modules that bundlers make of other
 * files: what comes from them is `any`.
 */
const AMBIENT = [
  ...[...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#~$_'].map((first) => `${first}*`),
  ...['css', 'scss', 'less', 'svg', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'md', 'txt', 'html', 'wasm'].map(
    (ending) => `*.${ending}`,
  ),
]
  .map((pattern) => `declare module '${pattern}';`)
  .join('\n');

function setSources(workspaceId: string, files: ReadonlyMap<string, KnownFile>): void {
  const libraries = [...files].map(([path, { text }]) => ({
    content: text,
    filePath: fileUri(workspaceId, path).toString(),
  }));
  libraries.push({ content: AMBIENT, filePath: 'file:///ambient.d.ts' });
  typescript.typescriptDefaults.setExtraLibs(libraries);
  typescript.javascriptDefaults.setExtraLibs(libraries);
}

let current: { workspace: OpenedWorkspace; types: WorkspaceTypes } | undefined;

/** Gives the language services the modules of the workspace that the editor shows. */
export function followTypes(workspace: OpenedWorkspace): void {
  shown = workspace;
  switchTo(workspace);
}

let shown: OpenedWorkspace | undefined;

/** Gives them those of any workspace, until the returned function is called. Resolves when they have them. */
export async function enterTypes(workspace: OpenedWorkspace): Promise<() => void> {
  await switchTo(workspace).update();
  // The services send what they are given to their workers a moment later.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return () => {
    if (shown !== undefined) switchTo(shown);
  };
}

export const knowsModule = (workspace: OpenedWorkspace, path: string): boolean =>
  current?.workspace === workspace && current.types.knows(path);

function switchTo(workspace: OpenedWorkspace): WorkspaceTypes {
  if (current?.workspace === workspace) return current.types;
  current?.types.close();
  current = { workspace, types: new WorkspaceTypes(workspace) };
  return current.types;
}
