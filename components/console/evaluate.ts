import { JS_EVAL_MAX_TIMEOUT_MS } from '#lib/tools/browser/browser-js-eval.ts';
import type { SandboxFiles } from '#lib/tools/capabilities/sandbox.ts';
import { readTextFile } from '#lib/tools/files/text-file.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import type { SandboxSession } from '#studio/sandbox-sessions.ts';

/** Runs the user's code. Never rejects: the outcome is in the session's record. */
export async function evaluateForPerson(
  session: SandboxSession,
  code: string,
  fileSystem: FileSystem,
  abortSignal: AbortSignal,
): Promise<void> {
  const files = filesOf(fileSystem);
  const evaluation = session.evaluate(code, { abortSignal, timeoutMs: JS_EVAL_MAX_TIMEOUT_MS, by: 'person', files });
  await evaluation.catch(() => undefined);
}

/** The workspace for the user's code. Changes are attributed to the user. */
function filesOf(fileSystem: FileSystem): SandboxFiles {
  return {
    async read(path) {
      return (await readTextFile(fileSystem, resolvePath(path))).text;
    },
    write(path, text) {
      const data = new TextEncoder().encode(text);
      return fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile(resolvePath(path), data));
    },
    list: (path) => fileSystem.readdir(resolvePath(path)),
  };
}
