// A program that runs code without end in a sandbox. The sandbox's process also has this one's file descriptor 3, which
// is closed only when both have ended.

import { spawn } from 'node:child_process';
import { ProcessSandbox } from '../process-sandbox.ts';

const sandbox = new ProcessSandbox({
  start: async (script) => spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'pipe', 3] }),
});
const none = () => Promise.reject(new Error('There are no files.'));

sandbox.record.subscribe(() => {
  const isRunning = sandbox.record.getEntries().some(({ type }) => type === 'printed');
  if (isRunning) process.stdout.write('running\n');
});
await sandbox.evaluate('console.log("running"); for (;;);', {
  abortSignal: new AbortController().signal,
  timeoutMs: 60_000,
  files: { read: none, write: none, list: none },
});
