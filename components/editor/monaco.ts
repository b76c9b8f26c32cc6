// The editor without unused languages, from our own build. What it would load with the first file of a language, besides a
// worker, comes along.
import 'monaco-editor/features/register.all.js';
import 'monaco-editor/languages/features/css/cssMode.js';
import 'monaco-editor/languages/features/css/register.js';
import 'monaco-editor/languages/features/html/htmlMode.js';
import 'monaco-editor/languages/features/html/register.js';
import 'monaco-editor/languages/features/json/jsonMode.js';
import 'monaco-editor/languages/features/typescript/tsMode.js';
import './grammars.ts';
import './editor.css';
import * as monaco from 'monaco-editor/editor.js';
import * as typescript from 'monaco-editor/languages/features/typescript/register.js';
import { createWorker } from './monaco-workers.ts';
import { editorTheme } from './theme.ts';

self.MonacoEnvironment = { getWorker: (_id, label) => createWorker(label) };

/**
 * The codes of TypeScript errors that only arise because packages have no types in the editor: `any` used as a type or with
 * type arguments.
 */
export const IGNORED_DIAGNOSTICS = [2347, 2503, 2709];

const compilerOptions: Parameters<typeof typescript.typescriptDefaults.setCompilerOptions>[0] = {
  target: typescript.ScriptTarget.ESNext,
  module: typescript.ModuleKind.ESNext,
  moduleResolution: typescript.ModuleResolutionKind.NodeJs,
  jsx: typescript.JsxEmit.ReactJSX,
  allowNonTsExtensions: true,
  allowJs: true,
  resolveJsonModule: true,
  esModuleInterop: true,
  strict: true,
  noImplicitAny: false,
  noEmit: true,
};
for (const defaults of [typescript.typescriptDefaults, typescript.javascriptDefaults]) {
  defaults.setCompilerOptions(compilerOptions);
  defaults.setDiagnosticsOptions({ diagnosticCodesToIgnore: IGNORED_DIAGNOSTICS });
}

/** The names of the studio's light and dark themes in Monaco. */
const THEMES = { light: 'studio-light', dark: 'studio-dark' } as const;
for (const name of ['light', 'dark'] as const) monaco.editor.defineTheme(THEMES[name], editorTheme(name));

/**
 * Gives the first line of a file its colors. Monaco does that at once for all visible lines, but if there is only one, it waits
 * until the page is idle, which may take long.
 */
function colorFirstLine(model: monaco.editor.ITextModel): void {
  // Monaco's types leave it out.
  const { tokenization } = model as { tokenization?: { forceTokenization?(lineNumber: number): void } };
  tokenization?.forceTokenization?.(1);
}

monaco.editor.onDidCreateModel((model) => {
  colorFirstLine(model);
  model.onDidChangeContent(() => colorFirstLine(model));
  model.onDidChangeLanguage(() => colorFirstLine(model));
});

/** Sets the studio's light or dark theme for all editors. */
export function setTheme(name: keyof typeof THEMES): void {
  monaco.editor.setTheme(THEMES[name]);
  for (const model of monaco.editor.getModels()) colorFirstLine(model);
}

/** The URI of a workspace file, unique among all models of the page. */
export const fileUri = (workspaceId: string, path: string): monaco.Uri =>
  monaco.Uri.from({ scheme: 'file', authority: workspaceId, path });

export { monaco };
