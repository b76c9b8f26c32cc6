import * as z from 'zod';
import type { Diagnostic, DiagnosticSeverity } from '#lib/tools/capabilities/diagnostics.ts';

/**
 * A position in a document, from 0. This file has the parts of LSP 3.17 that are used here:
 * https://microsoft.github.io/language-server-protocol/.
 */
const position = z.object({ line: z.int().nonnegative(), character: z.int().nonnegative() });

const diagnostic = z.object({
  range: z.object({ start: position }),
  severity: z.int().optional().catch(undefined),
  source: z.string().optional().catch(undefined),
  message: z.string(),
});

/** A problem in a file, in the form in which language servers report it. */
export type ServerDiagnostic = z.infer<typeof diagnostic>;

/** The schema of the parameters of `textDocument/publishDiagnostics`. */
export const publishedDiagnostics = z.object({
  uri: z.string(),
  version: z.int().nullish(),
  diagnostics: z.array(diagnostic),
});

/** The schema of the result of `textDocument/diagnostic`. It is always complete, because requests name no earlier result. */
export const pulledDiagnostics = z.object({ kind: z.literal('full'), items: z.array(diagnostic) });

const saveOptions = z.object({ includeText: z.boolean().nullish() });

const syncOptions = z.object({ save: z.union([z.boolean(), saveOptions]).nullish() });

/** The schema of the result of `initialize`, as far as it is used: what the language server can do. */
export const initializeResult = z.object({
  capabilities: z.object({
    textDocumentSync: z.union([z.int(), syncOptions]).nullish(),
    diagnosticProvider: z.object({ identifier: z.string().optional() }).nullish(),
  }),
});

/** The schema for the result of a request if nothing of it is used: any value is valid. */
export const anyResult = z.unknown();

/** The capabilities that a language server states when it starts, as far as they are used. */
export type ServerCapabilities = z.infer<typeof initializeResult>['capabilities'];

/**
 * Returns how a language server wants to be told about saved documents: with their text or not; undefined if it doesn't want
 * to be.
 */
export function savesOf({ textDocumentSync: sync }: ServerCapabilities): { includeText: boolean } | undefined {
  const save = typeof sync === 'object' && sync !== null ? sync.save : undefined;
  if (save == null || save === false) return undefined;
  return { includeText: save !== true && save.includeText === true };
}

/** The schema of the parameters of `workspace/configuration`, with which a language server asks for settings. */
export const configurationParams = z.object({ items: z.array(z.looseObject({ section: z.string().nullish() })) });

/** The schema of the parameters of `$/progress`, as far as they say whether a server is at work. */
export const progressParams = z.object({
  token: z.union([z.string(), z.number()]),
  value: z.object({ kind: z.enum(['begin', 'report', 'end']) }),
});

/** The capabilities that this client tells servers about in `initialize`. */
export const CLIENT_CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true },
    diagnostic: {},
  },
  window: { workDoneProgress: true },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    // Without it, servers watch the disk themselves, and may notice changes too late.
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    didChangeConfiguration: { dynamicRegistration: true },
    diagnostics: { refreshSupport: true },
  },
};

/** The numbers with which LSP says in which way a file has changed. */
export const FILE_CHANGE_TYPES = { created: 1, changed: 2, deleted: 3 };

/** Error codes of servers that ask to try again: ServerCancelled and ContentModified. */
export const RETRY_CODES: ReadonlySet<number> = new Set([-32802, -32801]);

/** LSP's severities by number. Hints, number 4, are not problems. */
const SEVERITIES: ReadonlyMap<number, DiagnosticSeverity> = new Map([
  [1, 'error'],
  [2, 'warning'],
  [3, 'info'],
]);

/**
 * Converts a problem from a language server to the form for tools, whose lines and columns count from 1; undefined for a hint.
 * A problem without a severity is an error; one without a source gets `defaultSource`.
 */
export function toDiagnostic(path: string, found: ServerDiagnostic, defaultSource: string): Diagnostic | undefined {
  const severity = SEVERITIES.get(found.severity ?? 1);
  if (severity === undefined) return undefined;
  const { line, character } = found.range.start;
  const { message, source = defaultSource } = found;
  return { path, line: line + 1, column: character + 1, severity, message, source };
}
