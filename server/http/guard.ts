import { isIP } from 'node:net';
import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import type { ServerEnv } from '#config/env.ts';
import { LOOPBACK_HOSTS } from '#config/loopback.ts';
import { readBounded } from '#lib/base/read-bounded.ts';
import { PERSONAL_KEY_HEADER, SUMMARY_KEY_HEADER } from '#lib/wire/connections.ts';
import { fillContents, NAMED_CONTENTS_HEADER } from '#lib/wire/contents.ts';
import type { Log } from '#log/log.ts';
import { withoutKey } from '#log/redact.ts';
import { REQUEST_ID_HEADER, withRequestId } from '#log/request-id.ts';
import { isDatabaseAway } from './database-away.ts';
import { HttpProblem, problemResponse } from './problem.ts';
import type { SentTexts } from './sent-texts.ts';

interface GuardOptions {
  env: ServerEnv;
  log: Log;
}

type Handler<Context> = (request: Request, context: Context) => Promise<Response>;

/**
 * Wraps a route handler with the rules of a local server that holds keys. Any web page can post to a loopback port, so a
 * request must name one of our hosts, come from our own pages, and, unless it is a GET, HEAD, or DELETE, carry JSON. An
 * `HttpProblem` becomes problem details, and so does the error of a database that is away (503). Any other error becomes a
 * general problem with status 500, and its message goes only to the log. The response and the lines of the log have the
 * request's id.
 */
export function guarded<Context>(services: () => Promise<GuardOptions>, handler: Handler<Context>): Handler<Context> {
  const answer = answered(services, handler);
  return (request, context) =>
    withRequestId(request.headers.get(REQUEST_ID_HEADER), async (id) => {
      const response = await answer(request, context);
      response.headers.set(REQUEST_ID_HEADER, id);
      return response;
    });
}

function answered<Context>(services: () => Promise<GuardOptions>, handler: Handler<Context>): Handler<Context> {
  return async (request, context) => {
    let log: Log | undefined;
    try {
      const options = await services();
      log = options.log;
      checkHost(request, options.env);
      checkOrigin(request);
      checkContentType(request);
      return await handler(request, context);
    } catch (error) {
      if (error instanceof HttpProblem) {
        log?.info({ status: error.status, code: error.code, path: new URL(request.url).pathname }, 'request refused');
        return problemResponse(error, request);
      }
      if (isDatabaseAway(error)) {
        log?.warn({ path: new URL(request.url).pathname, error: String(error) }, 'database away');
        return problemResponse(
          new HttpProblem(503, 'database-away', 'The database of the studio’s server can’t be reached. Try again.'),
        );
      }
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const keys = [PERSONAL_KEY_HEADER, SUMMARY_KEY_HEADER].map((name) => request.headers.get(name)?.trim());
      const shown = keys.reduce<string>((text, key) => withoutKey(text, key), message);
      log?.error({ path: new URL(request.url).pathname, error: shown }, 'request failed');
      return problemResponse(
        new HttpProblem(
          500,
          'internal',
          'The studio’s server failed. Its log has the details. Try again or restart it.',
        ),
        request,
      );
    }
  };
}

export function checkHost(request: Request, env: ServerEnv): void {
  const header = request.headers.get('host') ?? '';
  const name = hostName(header);
  if (name !== undefined && isKnownHost(name, env)) return;
  throw new HttpProblem(
    403,
    'unknown-host',
    `This server does not accept requests for the host "${header}". Use localhost, or add the name to ALLOWED_HOSTS.`,
  );
}

function hostName(header: string): string | undefined {
  try {
    return new URL(`http://${header}`).hostname.replace(/^\[|\]$/g, '').toLowerCase();
  } catch {
    // It names no host, so none that is known.
    return undefined;
  }
}

function isKnownHost(name: string, env: ServerEnv): boolean {
  if (LOOPBACK_HOSTS.has(name) || name === env.HOST.toLowerCase()) return true;
  const allowed = (env.ALLOWED_HOSTS ?? '').split(',').map((host) => host.trim().toLowerCase());
  // DNS rebinding cannot affect a numeric address, so any is fine if the server is reachable by it.
  return allowed.includes(name) || (isIP(name) !== 0 && !LOOPBACK_HOSTS.has(env.HOST));
}

function checkOrigin(request: Request): void {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  const foreignOrigin = origin !== null && hostOf(origin) !== request.headers.get('host');
  const foreignSite = site !== null && site !== 'same-origin' && site !== 'none';
  if (foreignOrigin || foreignSite) {
    throw new HttpProblem(403, 'foreign-origin', 'Requests to this server must come from its own pages.');
  }
}

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    // An origin without an address, such as `null`, is foreign.
    return undefined;
  }
}

function checkContentType(request: Request): void {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE') return;
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new HttpProblem(415, 'not-json', 'The body must be application/json.');
}

/**
 * Reads a JSON body of at most `maxBytes`, and validates it with `schema`. With `contents`, the body may refer to long texts
 * that were sent before, and these texts take the place of the references. Rejects with `HttpProblem` 400 or 413 with the
 * reason, and 409 `contents-needed` with the names of the texts that `contents` does not have.
 */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  maxBytes: number,
  contents?: SentTexts,
): Promise<z.output<Schema>> {
  const text = await readText(request, maxBytes);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new HttpProblem(400, 'not-json', 'The body is not valid JSON.');
  }
  const isNamed = contents !== undefined && request.headers.has(NAMED_CONTENTS_HEADER);
  const parsed = schema.safeParse(isNamed ? await withContents(json, contents) : json);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${toDotPath(issue.path) || '(body)'}: ${issue.message}`);
  throw new HttpProblem(400, 'invalid-body', `The request does not have the expected form. ${faults.join('; ')}`);
}

async function withContents(json: unknown, contents: SentTexts): Promise<unknown> {
  const fill = () => fillContents(json, (name) => contents.find(name));
  let { value, missing, length } = fill();
  if (missing.length > 0) {
    await contents.fetch(missing);
    ({ value, missing, length } = fill());
  }
  if (missing.length > 0)
    throw new HttpProblem(409, 'contents-needed', 'Send the missing texts, then repeat this request.', missing);
  if (length > contents.maxLength)
    throw new HttpProblem(
      413,
      'too-large',
      `The conversation contains ${length} characters of long texts, more than the server can store. Remove some, or raise CONTENTS_MAX_BYTES.`,
    );
  return value;
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const tooLarge = () =>
    new HttpProblem(
      413,
      'too-large',
      `The request is larger than ${maxBytes} bytes. Send less at once, or raise REQUEST_MAX_BYTES.`,
    );
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  const { bytes, isCut } = await readBounded(request.body, maxBytes);
  if (isCut) throw tooLarge();
  return new TextDecoder().decode(bytes);
}
