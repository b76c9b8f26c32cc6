import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { type BuiltSite, serveBuiltSite } from '#scripts/lib/built-site.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { FIRST_PAINT_SCRIPT } from '#studio/page/first-paint.ts';
import { isShort } from '../lib/options.ts';

const LIST = join(ROOT, 'components/chat/list/message-list.tsx');
const PLAIN_LIST = join(ROOT, 'bench/thread/plain-list.tsx');

/** Serves the studio with the plain list. Everything that is not part of its build comes from the studio at `origin`. */
export function servePlainSite(origin: string): Promise<BuiltSite> {
  return serveBuiltSite(
    'bench/thread',
    (request, response) => {
      const { pathname } = new URL(request.url ?? '/', origin);
      if (pathname === '/' || pathname.startsWith('/assets/')) return false;
      passOn(request, response, origin);
      return true;
    },
    {
      plugins: [plainList(), firstPaint()],
      // As in next.config.mjs.
      resolve: { alias: { 'radix-ui/internal': join(ROOT, 'components/ui/radix-internal.ts') } },
      build: { minify: !isShort },
      // It would warn of every 'use client'.
      logLevel: 'error',
    },
  );
}

/** Replaces the studio's message list, and makes sure that there was one to replace. */
function plainList(): Plugin {
  let isReplaced = false;
  return {
    name: 'plain-list',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!source.endsWith('/message-list.tsx')) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (found?.id !== LIST) return found;
      isReplaced = true;
      return PLAIN_LIST;
    },
    buildEnd(error) {
      if (error === undefined && !isReplaced) throw new Error(`Nothing imports ${LIST}, so nothing was replaced.`);
    },
  };
}

const firstPaint = (): Plugin => ({
  name: 'first-paint',
  transformIndexHtml: () => [{ tag: 'script', children: FIRST_PAINT_SCRIPT, injectTo: 'body-prepend' }],
});

/** Requests that only the studio's server can answer. It accepts only those that come from its own pages. */
function passOn(request: IncomingMessage, response: ServerResponse, origin: string): void {
  const headers = { ...request.headers, host: new URL(origin).host, ...(request.headers.origin && { origin }) };
  const passed = forward(new URL(request.url ?? '/', origin), { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  response.on('close', () => passed.destroy());
  request.pipe(passed);
}
