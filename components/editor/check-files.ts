import * as json from 'monaco-editor/languages/features/json/register.js';
import * as typescript from 'monaco-editor/languages/features/typescript/register.js';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { Diagnostic, DiagnosticSeverity } from '#lib/tools/capabilities/diagnostics.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { filesBelow, GENERATED_FOLDERS } from '#lib/vfs/files-below.ts';
import type { CheckedWorkspace, CheckFiles } from '#studio/editing/language-services.ts';
import { embeddedText, unclosedElements } from './embedded-regions.ts';
import { Lines } from './lines.ts';
import { fileUri, IGNORED_DIAGNOSTICS, monaco } from './monaco.ts';
import { createWorker } from './monaco-workers.ts';
import { decodeText } from './text-content.ts';
import { enterTypes, isChecked, knowsModule, MODULES, missingImports } from './workspace-types.ts';

/** Maximum number of files per check. */
const MAX_FILES = 1_000;
/** The size limit of a checked file, in bytes. Larger files are usually data or build output, and are skipped. */
const MAX_FILE_BYTES = 500_000;

const SCRIPT_LANGUAGES = ['typescript', 'javascript'];

/** The URI scheme of texts that are checked alone, without other files of the workspace. */
const CHECK_SCHEME = 'check';

// A language's service starts when its first model is created.
for (const language of SCRIPT_LANGUAGES) monaco.editor.createModel('', language).dispose();

const KINDS = [
  { pattern: /\.[cm]?tsx?$/, check: checkModule('ts') },
  { pattern: /\.[cm]?jsx?$/, check: checkModule('js') },
  { pattern: /\.json$/, check: checkJson },
  { pattern: /\.css$/, check: checkCss },
  { pattern: /\.html?$/, check: checkHtml },
];

interface CheckedFile {
  workspace: CheckedWorkspace;
  path: string;
  text: string;
  hidden: HiddenScripts;
}

/** A file that is checked alone, without other files of the workspace. */
type SingleFile = Pick<CheckedFile, 'path' | 'text'>;

type Check = (file: CheckedFile) => Promise<Diagnostic[]>;

/**
 * Gets a language service with `get`, and tries once more if that rejects. Monaco imports the service's code once to set it
 * up and once to hand it out; the first try fails if the second import ends first.
 */
const serviceOf = <T>(get: () => Promise<T>): Promise<T> => get().catch(get);

const checks = new SerialQueue();

/**
 * Checks a file with the editor's language services, or the files below a directory that the services know, up to a limit,
 * and resolves with a report of the problems. Checks run one at a time, because the services know only one workspace. After
 * each check, they get the workspace that the editor shows again.
 */
export const checkFiles: CheckFiles = (workspace, path, signal) =>
  checks.run(async () => {
    const leave = await enterTypes(workspace);
    try {
      return await checkNow(workspace, path, signal);
    } finally {
      leave();
    }
  });

/**
 * Notes whether the editor has scripts whose contents must not get into a report on the checked workspace: files that path
 * rules protect, and sides of comparisons. The TypeScript service knows all scripts, and its type errors may quote them.
 */
class HiddenScripts {
  /** Whether the editor has had a script whose contents must stay out of the report, at any time since the check began. */
  hasAny: boolean;
  /**
   * Whether type errors of any file were left out, because they might quote a script whose contents must stay out of the
   * report.
   */
  hasSkipped = false;
  readonly #workspace: CheckedWorkspace;
  readonly #watching: readonly monaco.IDisposable[];

  constructor(workspace: CheckedWorkspace) {
    this.#workspace = workspace;
    this.hasAny = monaco.editor.getModels().some((model) => this.#isHidden(model));
    const note = (model: monaco.editor.ITextModel) => {
      this.hasAny ||= this.#isHidden(model);
    };
    this.#watching = [
      monaco.editor.onDidCreateModel(note),
      monaco.editor.onDidChangeModelLanguage(({ model }) => note(model)),
    ];
  }

  close(): void {
    for (const watching of this.#watching) watching.dispose();
  }

  #isHidden(model: monaco.editor.ITextModel): boolean {
    const { id, hides } = this.#workspace;
    if (hides === undefined || !SCRIPT_LANGUAGES.includes(model.getLanguageId())) return false;
    const { scheme, authority, path } = model.uri;
    if (scheme === CHECK_SCHEME) return false;
    return scheme !== 'file' || (authority !== id && hides(authority, path));
  }
}

const HIDDEN =
  'Types were not checked, because scripts are open in the editor that rules of the user protect, or that do not belong to this workspace.';

const checkNow: CheckFiles = async (workspace, path, signal) => {
  const hidden = new HiddenScripts(workspace);
  try {
    const report = await checkBeside(hidden, workspace, path, signal);
    return hidden.hasSkipped ? { ...report, failures: [HIDDEN] } : report;
  } finally {
    hidden.close();
  }
};

async function checkBeside(
  hidden: HiddenScripts,
  workspace: CheckedWorkspace,
  path: string,
  signal: AbortSignal,
): ReturnType<CheckFiles> {
  const found = await filesToCheck(workspace, path);
  let { hasMore } = found;
  const diagnostics: Diagnostic[] = [];
  let files = 0;
  for (const file of found.paths) {
    signal.throwIfAborted();
    // The services cannot check files that exceed their limits.
    if (MODULES.test(file) && !knowsModule(workspace, file)) {
      hasMore = true;
      continue;
    }
    const text = (await decodeText(await workspace.fileSystem.readFile(file)))?.text;
    const check = KINDS.find(({ pattern }) => pattern.test(file))?.check;
    if (text === undefined || check === undefined) continue;
    files++;
    diagnostics.push(...(await check({ workspace, path: file, text, hidden })));
  }
  diagnostics.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column));
  return { diagnostics, files, hasMore };
}

async function filesToCheck({ fileSystem }: CheckedWorkspace, path: string) {
  const paths: string[] = [];
  let hasMore = false;
  const { type, size: ownSize } = await fileSystem.stat(path);
  if (type !== 'directory') {
    if (ownSize > MAX_FILE_BYTES)
      throw new ToolFailure('failed', `${path} is larger than ${MAX_FILE_BYTES / 1_000} KB, so it is not checked.`);
    return { paths: [path], hasMore };
  }
  for await (const { path: file, size } of filesBelow(fileSystem, path, GENERATED_FOLDERS)) {
    if (size > MAX_FILE_BYTES || !KINDS.some(({ pattern }) => pattern.test(file))) continue;
    hasMore = paths.length === MAX_FILES;
    if (hasMore) break;
    paths.push(file);
  }
  return { paths, hasMore };
}

const SEVERITIES: readonly DiagnosticSeverity[] = ['warning', 'error', 'info', 'info'];

function checkModule(source: 'ts' | 'js'): Check {
  return async ({ workspace, path, text, hidden }) => {
    const uri = fileUri(workspace.id, path);
    const getWorker = source === 'ts' ? typescript.getTypeScriptWorker : typescript.getJavaScriptWorker;
    const worker = await (await serviceOf(getWorker))(uri);
    const hasTypes = isChecked(path, text);
    const [inSyntax, inTypes] = await Promise.all([
      worker.getSyntacticDiagnostics(uri.toString()),
      hasTypes && !hidden.hasAny ? worker.getSemanticDiagnostics(uri.toString()) : [],
    ]);
    // Such a script may have been opened during the check.
    hidden.hasSkipped ||= hasTypes && hidden.hasAny;
    const found = hidden.hasAny ? inSyntax : [...inSyntax, ...inTypes];
    const lines = new Lines(text);
    const missing = missingImports(workspace, path).map(
      ({ line, column, message }): Diagnostic => ({ path, line, column, severity: 'error', message, source }),
    );
    const others = found
      .filter(({ code }) => !IGNORED_DIAGNOSTICS.includes(code))
      .map(({ start, category, messageText }) => ({
        path,
        ...lines.at(start ?? 0),
        severity: SEVERITIES[category] ?? 'info',
        message: flatten(messageText),
        source,
      }));
    return [...missing, ...others];
  };
}

type MessageText = string | { messageText: string; next?: MessageText[] | undefined };

const flatten = (message: MessageText): string =>
  typeof message === 'string' ? message : [message.messageText, ...(message.next ?? []).map(flatten)].join(' ');

/** A diagnostic of the language server protocol, where positions count from 0. */
interface ServiceDiagnostic {
  range: { start: { line: number; character: number } };
  severity?: number;
  message: string;
}

interface Validator {
  doValidation(uri: string): Promise<ServiceDiagnostic[]>;
}

const SERVICE_SEVERITIES: readonly DiagnosticSeverity[] = ['error', 'error', 'warning', 'info', 'info'];

const toDiagnostic = (path: string, source: string, { range, severity, message }: ServiceDiagnostic): Diagnostic => ({
  path,
  line: range.start.line + 1,
  column: range.start.character + 1,
  severity: SERVICE_SEVERITIES[severity ?? 1] ?? 'info',
  message,
  source,
});

async function checkJson({ path, text }: SingleFile): Promise<Diagnostic[]> {
  return withModel(text, 'json', async (uri) => {
    const worker = (await (await serviceOf(json.getWorker))(uri)) as unknown as Validator;
    return (await worker.doValidation(uri.toString())).map((found) => toDiagnostic(path, 'json', found));
  });
}

let cssWorker: monaco.editor.MonacoWebWorker<Validator> | undefined;

/** A separate worker of the editor's CSS service, because the editor's own is not accessible. */
function getCssWorker(): monaco.editor.MonacoWebWorker<Validator> {
  if (cssWorker !== undefined) return cssWorker;
  const worker = createWorker('css');
  // The worker's code expects two messages: one for the loader, one with its options.
  worker.postMessage('ignore');
  worker.postMessage({ languageId: 'css', options: { validate: true, lint: {} } });
  cssWorker = monaco.editor.createWebWorker<Validator>({ worker });
  return cssWorker;
}

async function checkCss({ path, text }: SingleFile): Promise<Diagnostic[]> {
  return withModel(text, 'css', async (uri) => {
    const service = await getCssWorker().withSyncedResources([uri]);
    return (await service.doValidation(uri.toString())).map((found) => toDiagnostic(path, 'css', found));
  });
}

/** Finds elements that are not closed, problems in a page's own styles, and syntax errors in its own scripts. */
async function checkHtml({ path, text }: SingleFile): Promise<Diagnostic[]> {
  const lines = new Lines(text);
  const found = unclosedElements(text).map(
    ({ offset, tag }): Diagnostic => ({
      path,
      ...lines.at(offset),
      severity: 'warning',
      message: `<${tag}> is never closed.`,
      source: 'html',
    }),
  );
  const styles = embeddedText(text, 'css');
  if (styles !== undefined) found.push(...(await checkCss({ path, text: styles })));
  const scripts = embeddedText(text, 'javascript');
  if (scripts !== undefined) {
    const inScripts = await withModel(scripts, 'javascript', async (uri) => {
      const worker = await (await serviceOf(typescript.getJavaScriptWorker))(uri);
      return worker.getSyntacticDiagnostics(uri.toString());
    });
    for (const { start, messageText } of inScripts)
      found.push({ path, ...lines.at(start ?? 0), severity: 'error', message: flatten(messageText), source: 'js' });
  }
  return found;
}

const MODEL_ENDINGS = { css: 'css', javascript: 'js', json: 'json' } as const;
let models = 0;

/**
 * Runs `work` with the URI under which the language services have a text, for as long as `work` takes, as a file of its
 * own.
 */
async function withModel<T>(
  text: string,
  language: keyof typeof MODEL_ENDINGS,
  work: (uri: monaco.Uri) => Promise<T>,
): Promise<T> {
  const uri = monaco.Uri.from({ scheme: CHECK_SCHEME, path: `/${models++}.${MODEL_ENDINGS[language]}` });
  const model = monaco.editor.createModel(text, language, uri);
  try {
    return await work(uri);
  } finally {
    model.dispose();
  }
}
