import { type NextRequest, NextResponse } from 'next/server';
import { readServerEnv } from '#config/env.ts';
import { isFrameHost } from '#lib/sandbox/hosts.ts';
import { OAUTH_CALLBACK_PATH } from '#lib/wire/oauth.ts';
import { checkHost } from '#server/http/guard.ts';
import { pagePolicy } from '#server/http/page-policy.ts';
import { HttpProblem, problemResponse } from '#server/http/problem.ts';

/**
 * Everything except the API, whose routes guard themselves and whose bodies a proxy would copy, and what load balancers ask,
 * which name any host.
 */
export const config = { matcher: ['/((?!api/|livez$|readyz$).*)'] };

const env = readServerEnv(process.env);

const IS_SANDBOX = /^\/sandbox\//;

/** Static files, which neither show a page nor change anything: the page's own scripts and styles, and images. */
const IS_STATIC = /^\/_next\/|\.[^/]*$/;

/**
 * Rejects requests for unknown hosts, and gives each page a content security policy with its own nonce. The sandbox's
 * hosts serve only the sandbox's routes.
 */
export function proxy(request: NextRequest): Response {
  const { pathname, protocol } = request.nextUrl;
  const host = request.headers.get('host') ?? '';
  try {
    checkHost(request, env);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    // Host names that the operator allows belong to the studio, even if they match the pattern for frames.
    return IS_SANDBOX.test(pathname) && isFrameHost(host, env.SANDBOX_ORIGIN)
      ? NextResponse.next()
      : problemResponse(error);
  }
  // They have policies of their own, or need none.
  if (IS_SANDBOX.test(pathname) || IS_STATIC.test(pathname) || pathname === OAUTH_CALLBACK_PATH)
    return NextResponse.next();
  const nonce = Buffer.from(crypto.randomUUID()).toString('base64');
  const policy = pagePolicy(`${protocol}//${host}`, env.SANDBOX_ORIGIN, nonce);
  // The renderer reads the nonce from the request's policy and adds it to its scripts.
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  if (env.SANDBOX_ORIGIN === undefined) headers.delete('x-sandbox-origin');
  else headers.set('x-sandbox-origin', env.SANDBOX_ORIGIN);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}
