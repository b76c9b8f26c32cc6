// The script of the process in which code runs on a host without a browser: the sandbox's kernel, with Node in place of
// a window. The code that it evaluates can reach everything here, so whoever started the process treats every message
// as forged, and decides what the process can access: nothing here is a boundary.

import { runInThisContext } from 'node:vm';
import { takeAnswer } from '#lib/sandbox/kernel/answers.ts';
import { redirectConsole } from '#lib/sandbox/kernel/console.ts';
import { type EvaluationHost, runCode } from '#lib/sandbox/kernel/evaluation.ts';
import { defineFiles } from '#lib/sandbox/kernel/files.ts';
import { ignore, parse } from '#lib/sandbox/kernel/primordials.ts';
import { send, sendThrough } from '#lib/sandbox/kernel/send.ts';
import { reportUncaught } from '#lib/sandbox/kernel/uncaught.ts';
import type { PageMessage } from '#lib/sandbox/protocol.ts';
import { limitGlobals } from './globals.ts';
import { refuseModules } from './modules.ts';
import { refuseNetwork } from './network.ts';
import { readLines, writeLine } from './stdio.ts';
import { replaceTimers } from './timers.ts';
import { endWithParent } from './watchdog.ts';

const listen = process.on.bind(process);
const host: EvaluationHost = { runScript, onEnd: ignore };

limitGlobals();
redirectConsole();
defineFiles();
replaceTimers();
refuseNetwork();
refuseModules();
sendThrough(writeLine);
// Only now: until then, an error ends the process and says why it did not start.
listen('uncaughtException', onUncaught);
listen('unhandledRejection', onUncaught);
readLines((line) => receive(parse(line)));
send({ type: 'ready' });
endWithParent();

function receive(message: PageMessage): void {
  switch (message.type) {
    case 'run':
      void runCode(message, host);
      break;
    case 'answer':
      takeAnswer(message);
      break;
    default:
      // The others are for windows.
      break;
  }
}

/**
 * Reports an error or rejection that nothing catches. Never throws: Node would end the process, but not before the next line
 * from stdin.
 */
function onUncaught(thrown: unknown): void {
  try {
    reportUncaught(thrown);
  } catch {
    // The code has broken something that reports need. Its evaluation ends at its time limit, at the latest.
  }
}

function runScript(source: string): boolean {
  try {
    runInThisContext(source);
    return true;
  } catch {
    // `declare` finds out whether that matters.
    return false;
  }
}
