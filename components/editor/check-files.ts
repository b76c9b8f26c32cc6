import * as json from 'monaco-editor/languages/features/json/register.js';
import * as typescript from 'monaco-editor/languages/features/typescript/register.js';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { Diagnostic, DiagnosticSeverity } from '#lib/tools/capabilities/diagnostics.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { filesBelow, TOOL_FOLDERS } from '#lib/vfs/files-below.ts';
import type { CheckedWorkspace, CheckFiles } from '#studio/editing/language-services.ts';
import { embeddedText, unclosedElements } from './embedded-regions.ts';
import { Lines } from './lines.ts';
import { fileUri, IGNORED_DIAGNOSTICS, monaco } from './monaco.ts';
import { createWorker } from './monaco-workers.ts';
import { decodeText } from './text-content.ts';
import { enterTypes, isChecked, knowsModule, MODULES, missingImports } from './workspace-types.ts';

/** Maximum number of files per check. */
const MAX_FILES = 1_000;
/** Larger files are usually data or build output; they are skipped. */
const MAX_FILE_BYTES = 500_000;

// A language's service starts when its first model is created.
for (const language of ['typescript', 'javascript']) monaco.editor.createModel('', language).dispose();

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
}

type Check = (file: CheckedFile) => Promise<Diagnostic[]>;

const checks = new SerialQueue();

/**
 * Asks the editor's language services about a file, or all files below a directory. Checks run one at a time, because
 * the services know only one workspace. Afterwards they get the editor's workspace again.
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

const checkNow: CheckFiles = async (workspace, path, signal) => {
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
    const text = decodeText(await workspace.fileSystem.readFile(file));
    const check = KINDS.find(({ pattern }) => pattern.test(file))?.check;
    if (text === undefined || check === undefined) continue;
    files++;
    diagnostics.push(...(await check({ workspace, path: file, text })));
  }
  diagnostics.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column));
  return { diagnostics, files, hasMore };
};

async function filesToCheck({ fileSystem }: CheckedWorkspace, path: string) {
  const paths: string[] = [];
  let hasMore = false;
  const { type, size: ownSize } = await fileSystem.stat(path);
  if (type !== 'directory') {
    if (ownSize > MAX_FILE_BYTES)
      throw new ToolFailure('failed', `${path} is larger than ${MAX_FILE_BYTES / 1_000} KB, so it is not checked.`);
    return { paths: [path], hasMore };
  }
  for await (const { path: file, size } of filesBelow(fileSystem, path, TOOL_FOLDERS)) {
    if (size > MAX_FILE_BYTES || !KINDS.some(({ pattern }) => pattern.test(file))) continue;
    hasMore = paths.length === MAX_FILES;
    if (hasMore) break;
    paths.push(file);
  }
  return { paths, hasMore };
}

const SEVERITIES: readonly DiagnosticSeverity[] = ['warning', 'error', 'info', 'info'];

function checkModule(source: 'ts' | 'js'): Check {
  return async ({ workspace, path, text }) => {
    const uri = fileUri(workspace.id, path);
    const getWorker = source === 'ts' ? typescript.getTypeScriptWorker : typescript.getJavaScriptWorker;
    const worker = await (await getWorker())(uri);
    const found = await Promise.all([
      worker.getSyntacticDiagnostics(uri.toString()),
      isChecked(path, text) ? worker.getSemanticDiagnostics(uri.toString()) : [],
    ]);
    const lines = new Lines(text);
    const missing = missingImports(workspace, path).map(
      ({ line, column, message }): Diagnostic => ({ path, line, column, severity: 'error', message, source }),
    );
    const others = found
      .flat()
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

async function checkJson({ path, text }: CheckedFile): Promise<Diagnostic[]> {
  return withModel(text, 'json', async (uri) => {
    const worker = (await (await json.getWorker())(uri)) as unknown as Validator;
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

async function checkCss({ path, text }: CheckedFile): Promise<Diagnostic[]> {
  return withModel(text, 'css', async (uri) => {
    const service = await getCssWorker().withSyncedResources([uri]);
    return (await service.doValidation(uri.toString())).map((found) => toDiagnostic(path, 'css', found));
  });
}

/** Finds elements that are not closed, and problems in the page's own styles and scripts. */
async function checkHtml({ workspace, path, text }: CheckedFile): Promise<Diagnostic[]> {
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
  if (styles !== undefined) found.push(...(await checkCss({ workspace, path, text: styles })));
  const scripts = embeddedText(text, 'javascript');
  if (scripts !== undefined) {
    const inScripts = await withModel(scripts, 'javascript', async (uri) => {
      const worker = await (await typescript.getJavaScriptWorker())(uri);
      return worker.getSyntacticDiagnostics(uri.toString());
    });
    for (const { start, messageText } of inScripts)
      found.push({ path, ...lines.at(start ?? 0), severity: 'error', message: flatten(messageText), source: 'js' });
  }
  return found;
}

const MODEL_ENDINGS = { css: 'css', javascript: 'js', json: 'json' } as const;
let models = 0;

/** Runs work on a text that the services see as a separate file. */
async function withModel<T>(
  text: string,
  language: keyof typeof MODEL_ENDINGS,
  work: (uri: monaco.Uri) => Promise<T>,
): Promise<T> {
  const uri = monaco.Uri.from({ scheme: 'check', path: `/${models++}.${MODEL_ENDINGS[language]}` });
  const model = monaco.editor.createModel(text, language, uri);
  try {
    return await work(uri);
  } finally {
    model.dispose();
  }
}
