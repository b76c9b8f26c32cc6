import { randomUUID } from 'node:crypto';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConsoleMessage, Request as PageRequest } from '@playwright/test';
import type { Plugin } from 'vite';
import type { BrowserCommand } from 'vitest/node';
import { ScriptedModelServer } from '../../e2e/lib/model-server.ts';
import { modelsFile, SECRET } from '../../e2e/lib/models-file.ts';
import type { ChatRequestBody, ScriptedTurn } from '../../e2e/lib/scripted-model.ts';
import { SerialQueue } from '../../lib/base/serial-queue.ts';
import {
  CODE_SANDBOX,
  PREVIEW_FRAME_PATH,
  PREVIEW_SANDBOX,
  SANDBOX_FRAME_PATH,
} from '../../lib/sandbox/frame-document.ts';
import { answerDiagrams, answerFrame } from '../../scripts/lib/built-site.ts';
import { ROOT } from '../../scripts/lib/run.ts';
import type { Media, SentFile } from './browser.ts';
import { SERVERS, type ServerKind } from './server-kinds.ts';
import { studioServerFor } from './studio-server.ts';

/** The handlers that a file of `app/api` exports, by HTTP method. */
type Route = Record<
  string,
  (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>
>;

/** A file of `app/api`. `pattern`: matches the paths that it answers. */
interface RouteFile {
  pattern: RegExp;
  load(): Promise<Route>;
}

const ROUTES: readonly RouteFile[] = globSync('app/api/**/route.ts', { cwd: ROOT }).map((file) => ({
  pattern: new RegExp(`^/${file.slice('app/'.length, -'/route.ts'.length).replaceAll(/\[(\w+)\]/g, '(?<$1>[^/]+)')}$`),
  load: () => import(join(ROOT, file)) as Promise<Route>,
}));

let model: Promise<ScriptedModelServer> | undefined;

/**
 * A Vite plugin that serves tests in a browser what the studio's server serves: its routes, run in this process with a
 * scripted model and checkpoints in memory, and the frames of its sandbox.
 */
export function studioSite(): Plugin {
  return {
    name: 'studio-site',
    async configureServer(site) {
      if (model !== undefined) return;
      model = ScriptedModelServer.start();
      const server = await model;
      const folder = mkdtempSync(join(tmpdir(), 'roundtrip-page-'));
      writeFileSync(join(folder, 'models.yaml'), modelsFile(server.url));
      Object.assign(process.env, {
        MODELS_FILE: join(folder, 'models.yaml'),
        DATABASE_URL: 'memory:',
        DISCOVER_LOCAL: 'false',
        SCRIPTED_KEY: SECRET,
        LOG_LEVEL: 'silent',
        AGENT_MAX_RETRIES: '0',
      });
      site.httpServer?.once('close', () => {
        rmSync(folder, { recursive: true, force: true });
        void server.stop();
      });
      site.middlewares.use((request, response, next) => {
        answer(request, response).then((isAnswered) => {
          if (!isAnswered) next();
        }, next);
      });
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  if (
    answerFrame(request, response, SANDBOX_FRAME_PATH, CODE_SANDBOX) ||
    answerFrame(request, response, PREVIEW_FRAME_PATH, PREVIEW_SANDBOX) ||
    answerDiagrams(request, response)
  )
    return true;
  for (const { pattern, load } of ROUTES) {
    const found = pattern.exec(url.pathname);
    if (found === null) continue;
    const handler = (await load())[request.method ?? 'GET'];
    if (handler === undefined) break;
    const respond = async () =>
      send(
        await handler(toRequest(request, response, url), { params: Promise.resolve({ ...found.groups }) }),
        response,
      );
    const server = studioServerFor(request.headers.cookie);
    if (server === 'gone') request.socket.destroy();
    else if (server === 'common') await respond();
    else await server.answer(response, respond);
    return true;
  }
  return false;
}

function toRequest(request: IncomingMessage, response: ServerResponse, url: URL): Request {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const { method = 'GET' } = request;
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const init: RequestInit & { duplex?: 'half' } = { method, headers, signal: closed.signal };
  if (hasBody) {
    init.body = Readable.toWeb(request) as ReadableStream<Uint8Array<ArrayBuffer>>;
    init.duplex = 'half';
  }
  return new Request(url, init);
}

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null) response.end();
  // The page may have been closed meanwhile.
  else
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response).catch(() => undefined);
}

const scripted = async (): Promise<ScriptedModelServer> => {
  if (model === undefined) throw new Error('The site has not been started.');
  return model;
};

/** Commands that tests in a browser can run in the process that controls the browser. */
export const siteCommands = {
  scriptModel: async (_, prompt: string, turns: readonly (ScriptedTurn | readonly ScriptedTurn[])[]) =>
    (await scripted()).script(prompt, turns),
  scriptSummary: async (_, text: string, turn?: ScriptedTurn) => (await scripted()).scriptSummary(text, turn),
  summaryRequests: async (_, text: string): Promise<ChatRequestBody[]> => (await scripted()).summaryRequestsFor(text),
  openGate: async (_, gate: string) => (await scripted()).open(gate),
  modelRequests: async (_, prompt: string): Promise<ChatRequestBody[]> => (await scripted()).requestsFor(prompt),
  modelRequestsWith: async (_, text: string): Promise<ChatRequestBody[]> => (await scripted()).requestsWith(text),
  abortedModelRequests: async (_, prompt: string) => (await scripted()).abortedFor(prompt),
  keyboardAction: ({ page }, action: 'press' | 'type' | 'down' | 'up' | 'insertText', text: string) =>
    page.keyboard[action](text),
  mouseMove: async ({ page, iframe }, x: number, y: number, steps: number) => {
    const box = await iframe.owner().boundingBox();
    await page.mouse.move(x + (box?.x ?? 0), y + (box?.y ?? 0), { steps });
  },
  mouseButton: ({ page }, action: 'down' | 'up', button: 'left' | 'right' | 'middle') => page.mouse[action]({ button }),
  mouseWheel: ({ page }, x: number, y: number) => page.mouse.wheel(x, y),
  emulateMedia: ({ page }, media: Media) => page.emulateMedia(media),
  expectFileChooser: ({ page, sessionId }, files: readonly SentFile[]) => {
    const answered = page
      .waitForEvent('filechooser', { timeout: 30_000 })
      .then((chooser) =>
        chooser.setFiles(
          files.map(({ name, mimeType, base64 }) => ({ name, mimeType, buffer: Buffer.from(base64, 'base64') })),
        ),
      );
    // It is awaited later.
    answered.catch(() => undefined);
    choosers.set(sessionId, answered);
  },
  fileChooserAnswered: ({ sessionId }) => choosers.get(sessionId),
  evaluateInFrame: async ({ iframe }, selector: string, expression: string): Promise<unknown> => {
    const element = await iframe.locator(selector).elementHandle({ timeout: FRAME_TIMEOUT_MS });
    return (await element?.contentFrame())?.evaluate(expression);
  },
  watchErrors: ({ page, sessionId }) => {
    const errors: string[] = [];
    const onMessage = (message: ConsoleMessage) => {
      if (message.type() === 'error') errors.push(message.text());
    };
    const onError = ({ message }: Error) => errors.push(message);
    page.on('console', onMessage).on('pageerror', onError);
    watchedErrors.set(sessionId, () => {
      page.off('console', onMessage).off('pageerror', onError);
      return errors;
    });
  },
  watchedErrors: ({ sessionId }): string[] => watchedErrors.get(sessionId)?.() ?? [],
  takeClipboard: async ({ context, sessionId }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await new Promise<void>((taken) => {
      void clipboard.run(() => {
        taken();
        return released;
      });
    });
    clipboardHolders.set(sessionId, release);
  },
  releaseClipboard: ({ sessionId }) => clipboardHolders.get(sessionId)?.(),
  shownText: async ({ iframe }, selector: string): Promise<string | null> => {
    const element = iframe.locator(selector);
    return (await element.isVisible()) ? element.textContent() : null;
  },
  recordRequests: ({ context, sessionId }, text: string) => {
    const urls: string[] = [];
    const record = (request: PageRequest) => {
      if (`${request.postData()}${JSON.stringify(request.headers())}`.includes(text)) urls.push(request.url());
    };
    context.on('request', record);
    recordings.set(sessionId, () => {
      context.off('request', record);
      return urls;
    });
  },
  recordedRequests: ({ sessionId }): string[] => recordings.get(sessionId)?.() ?? [],
  startServer: async (_, kind: ServerKind, args: readonly unknown[]): Promise<string> => {
    const id = randomUUID();
    const start: (...args: never[]) => Promise<{ stop(): Promise<void> }> = SERVERS[kind];
    servers.set(id, (await start(...(args as never[]))) as RunningServer);
    return id;
  },
  getOfServer: (_, id: string, name: string) => serverOf(id)[name],
  setOfServer: (_, id: string, name: string, value: unknown) => {
    serverOf(id)[name] = value;
  },
  callServer: (_, id: string, name: string, args: readonly unknown[]) => {
    const server = serverOf(id);
    return (server[name] as (...args: readonly unknown[]) => unknown).apply(server, [...args]);
  },
  stopServer: async (_, id: string) => {
    await serverOf(id).stop();
    servers.delete(id);
  },
} satisfies Record<string, BrowserCommand<never[]>>;

/** A server that a test has started. Tests use its other members by their names. */
type RunningServer = { stop(): Promise<void> } & Record<string, unknown>;

const servers = new Map<string, RunningServer>();

function serverOf(id: string): RunningServer {
  const server = servers.get(id);
  if (server === undefined) throw new Error('This server was stopped.');
  return server;
}

/** The time limit for a frame to appear, in milliseconds. */
const FRAME_TIMEOUT_MS = 15_000;

/** Functions that stop watching a page for errors and return the errors, by the session of the page. */
const watchedErrors = new Map<string, () => string[]>();

/** The queue of pages for the clipboard. `clipboardHolders`: functions that end a page's turn, by the session of the page. */
const clipboard = new SerialQueue();
const clipboardHolders = new Map<string, () => void>();

/** Promises that resolve once an expected file chooser is answered, by the session of the page. */
const choosers = new Map<string, Promise<void>>();

/** Functions that stop recording a page's requests and return their addresses, by the session of the page. */
const recordings = new Map<string, () => string[]>();
