// The script of the sandbox's frame. Runs in its window or, if that shares the page's thread, in a worker. The code that
// it evaluates can reach everything here, so the studio's page treats every message as forged.

import type { PageMessage } from '../protocol.ts';
import { takeAnswer } from './answers.ts';
import { redirectConsole } from './console.ts';
import { replaceDialogs } from './dialogs.ts';
import { runCode } from './evaluation.ts';
import { defineFetch } from './fetch.ts';
import { defineFiles } from './files.ts';
import { limitHistory } from './history.ts';
import { openPage } from './page.ts';
import { markEnd, posterTo } from './port.ts';
import { global, isWindow, now, parse, source } from './primordials.ts';
import { listenForRefusals } from './refusals.ts';
import { runScript } from './run-script.ts';
import { send, sendThrough } from './send.ts';
import { listenForErrors } from './uncaught.ts';
import { limitWorkers } from './workers.ts';

redirectConsole();
listenForErrors();
listenForRefusals();
defineFiles();
defineFetch();

global.addEventListener('message', function onConnect(event) {
  const [port] = event.ports;
  if (port === undefined || (isWindow && event.source !== parent)) return;
  global.removeEventListener('message', onConnect);
  event.stopImmediatePropagation();
  if (!event.data.inWorker) return connect(port);
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  worker.postMessage({ inWorker: false }, [port]);
});

/** Starts to take the page's messages, after limiting what code can do. */
function connect(port: MessagePort): void {
  sendThrough(posterTo(port));
  limitWorkers();
  if (isWindow) {
    limitHistory();
    replaceDialogs();
  }
  port.onmessage = ({ data }) => receive(parse(data));
  send({ type: 'ready' });
}

function receive(message: PageMessage): void {
  switch (message.type) {
    case 'run':
      void runCode(message, { runScript, onEnd: markEnd });
      break;
    case 'answer':
      takeAnswer(message);
      break;
    case 'page':
      openPage(message);
      break;
    case 'spin':
      spin(message.ms);
      break;
  }
}

/**
 * Sends `spinning`, keeps the thread busy for `ms` milliseconds, so that the studio's page can see whether it shares the
 * thread, and sends `spun`.
 */
function spin(ms: number): void {
  send({ type: 'spinning' });
  const end = now() + ms;
  while (now() < end);
  send({ type: 'spun' });
}
