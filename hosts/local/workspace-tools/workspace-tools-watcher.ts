import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_TOOLS_EVERY_MS } from '../limits.ts';

/**
 * Calls back when `file`, or a file in `folder`, may have changed, until the returned function is called. It checks them at an
 * interval: the folder may not exist yet, and systems do not report every change of a file. It does not keep the process
 * running.
 */
export function watchWorkspaceTools(
  { folder, file }: { folder: string; file: string },
  onChange: () => void,
): () => void {
  let before = stateOf(folder, file);
  const timer = setInterval(() => {
    const now = stateOf(folder, file);
    if (now === before) return;
    before = now;
    onChange();
  }, OWN_TOOLS_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function stateOf(folder: string, file: string): string {
  return [file, ...namesIn(folder).map((name) => join(folder, name))].map(signatureOf).join('\n');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It may not be there yet.
    return [];
  }
}

/** Returns a text that differs if a file may have changed; only the path if the file does not exist. */
function signatureOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return [path, ino, size, mtimeMs, ctimeMs].join(' ');
  } catch {
    return path;
  }
}
