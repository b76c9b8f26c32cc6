import { tryingCode } from '#lib/sources/workspace-tools/trying.ts';
import type { WorkspaceToolFile } from '#lib/sources/workspace-tools/workspace-tool-file.ts';
import { JS_EVAL_MAX_TIMEOUT_MS, NEW_SESSION } from '#lib/tools/browser/browser-js-eval.ts';
import { type ConsoleLine, PRINTED_SO_FAR, type RenderedValue } from '#lib/tools/capabilities/rendered-value.ts';
import type { SandboxFetch, SandboxFiles } from '#lib/tools/capabilities/sandbox.ts';
import { readTextFile } from '#lib/tools/files/text-file.ts';
import type { PathRule } from '#lib/tools/permission/path-rule.ts';
import { guardOf, protectsPaths } from '#lib/tools/permission/path-rules.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { guardedFiles } from '#lib/vfs/guarded-file-system.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import type { SandboxSession } from '#studio/sandbox-sessions.ts';

type PersonsSession = Pick<SandboxSession, 'evaluate' | 'hasModelCode'>;

/**
 * The outcome of code that the user runs, from the console or from an answer: its value, if it has one, or why it failed,
 * without what it had printed.
 */
export type PersonsOutcome = { type: 'value'; value: RenderedValue | undefined } | { type: 'failure'; text: string };

/**
 * Runs code in a sandbox session for the user: their own (`by` is `person`), or code of an answer (`by` is `answer`).
 * `rules`: returns the current path rules, with which the user protects files; they restrict the code only if `pathRulesApply`
 * says so. `tools`: the workspace's tools, which the code can try with `tool(name, input)`. `fetch`: the `fetch` of the
 * code. `onPrint`: gets each line as it is printed. Never rejects: a failure is an outcome, too.
 */
export async function evaluateForPerson(
  session: PersonsSession,
  code: string,
  fileSystem: FileSystem,
  {
    rules,
    abortSignal,
    tools = [],
    fetch,
    onPrint,
    by = 'person',
  }: {
    rules(): readonly PathRule[];
    abortSignal: AbortSignal;
    tools?: readonly WorkspaceToolFile[];
    fetch?: SandboxFetch | undefined;
    onPrint?(line: ConsoleLine): void;
    by?: 'person' | 'answer';
  },
): Promise<PersonsOutcome> {
  const files = filesOf(() => (pathRulesApply(session, rules()) ? guarded(fileSystem, rules()) : fileSystem));
  const options = { abortSignal, timeoutMs: JS_EVAL_MAX_TIMEOUT_MS, files, ...(fetch !== undefined && { fetch }) };
  // If a tool of the workspace cannot be tried, the code says so itself.
  for (const prelude of tryingCode(tools, code))
    await session.evaluate(prelude, { ...options, by: 'studio' }).catch(() => undefined);
  return session
    .evaluate(code, { ...options, by, ...(onPrint !== undefined && { onPrint }) })
    .then(({ value }): PersonsOutcome => ({ type: 'value', value }))
    .catch((error: unknown) => ({ type: 'failure', text: reasonOf(error) }));
}

/** The reason why code failed, without what it had printed, and without the notice for models that the session is new. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split(PRINTED_SO_FAR)[0] ?? '').replace(`\n${NEW_SESSION}`, '');
}

/**
 * Checks whether path rules, with which the user protects files from tools, also restrict the user's code in a session: they
 * do if any of them protects paths and code of the model has run there. The model's code may still be running, and its
 * requests for files cannot be told from those of the user's code.
 */
export const pathRulesApply = (
  { hasModelCode }: Pick<PersonsSession, 'hasModelCode'>,
  rules: readonly PathRule[],
): boolean => hasModelCode && protectsPaths(rules);

function guarded(fileSystem: FileSystem, rules: readonly PathRule[]): FileSystem {
  const guard = guardOf({ rules, approved: [] });
  return guardedFiles(fileSystem, {
    refusal: (path, effect) => (guard.refusal(path, effect) === undefined ? undefined : REFUSED),
  });
}

const REFUSED = 'a rule of yours protects this path, and code of the model has run in this session. Reset the session';

/** The files that the user's code can read, write, and list. Changes are attributed to the user. */
function filesOf(fileSystem: () => FileSystem): SandboxFiles {
  return {
    async read(path) {
      return (await readTextFile(fileSystem(), resolvePath(path))).text;
    },
    write(path, text) {
      const data = new TextEncoder().encode(text);
      return fileSystem().transaction({ type: 'person' }, async (tx) => tx.writeFile(resolvePath(path), data));
    },
    list: (path) => fileSystem().readdir(resolvePath(path)),
  };
}
