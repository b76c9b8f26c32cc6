import type { FileSystem } from '#lib/vfs/file-system.ts';
import type { Studio } from '#studio/studio.ts';
import type { CodeRunContext } from './code-run.ts';
import { evaluateForPerson, type PersonsOutcome } from './evaluate.ts';
import { personFetchIn } from './person-fetch.ts';

/** Code of an answer, and the files that it may use. */
interface ThreadCode {
  code: string;
  isTypeScript: boolean;
  fileSystem: FileSystem;
}

/**
 * Runs code of an answer in a thread's sandbox, and resolves with its value or the reason why it failed. The path rules that
 * protect files from tools apply to it, too. Rejects with `ToolFailure` if it is TypeScript that is not valid.
 */
export async function runInThread(
  studio: Pick<Studio, 'sandbox' | 'settings' | 'threads' | 'tools'>,
  threadId: string,
  { code, isTypeScript, fileSystem }: ThreadCode,
  { abortSignal, onPrint, ask }: CodeRunContext,
): Promise<PersonsOutcome> {
  const script = isTypeScript ? await studio.sandbox.javaScriptOf(code, abortSignal) : code;
  const session = await studio.sandbox.open(threadId);
  return evaluateForPerson(session, script, fileSystem, {
    rules: () => studio.settings.getState().pathRules,
    fetch: personFetchIn(studio, threadId, (question) => ask(question, session.hasModelCode), abortSignal),
    abortSignal,
    onPrint,
    // Path rules and questions treat it as the model's code.
    by: 'answer',
  });
}
