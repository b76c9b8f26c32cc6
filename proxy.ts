import { type NextRequest, NextResponse } from 'next/server';
import { isFrameHost } from '#lib/sandbox/hosts.ts';
import { readServerEnv } from '#server/config/env.ts';
import { checkHost } from '#server/http/guard.ts';
import { pagePolicy } from '#server/http/page-policy.ts';
import { HttpProblem, problemResponse } from '#server/http/problem.ts';

/** Everything but the API, whose routes guard themselves: what a request carries would be copied here. */
export const config = { matcher: ['/((?!api/).*)'] };

const env = readServerEnv(process.env);

const IS_SANDBOX = /^\/sandbox\//;

/** What neither shows nor changes anything: the page's own scripts and styles, and pictures. */
const IS_STATIC = /^\/_next\/|\.[^/]*$/;

/**
 * Answers known hosts only, and gives each page a content security policy with a nonce of its own. The sandbox's hosts
 * have its routes and nothing else.
 */
export function proxy(request: NextRequest): Response {
  const { pathname, protocol } = request.nextUrl;
  const host = request.headers.get('host') ?? '';
  try {
    checkHost(request, env);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    // A name that the operator allows is the studio's, even where frames have theirs.
    return IS_SANDBOX.test(pathname) && isFrameHost(host, env.SANDBOX_ORIGIN)
      ? NextResponse.next()
      : problemResponse(error);
  }
  if (IS_SANDBOX.test(pathname) || IS_STATIC.test(pathname)) return NextResponse.next();
  const nonce = Buffer.from(crypto.randomUUID()).toString('base64');
  const policy = pagePolicy(`${protocol}//${host}`, env.SANDBOX_ORIGIN, nonce);
  // The renderer reads the nonce from the request's policy and puts it on its scripts.
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  if (env.SANDBOX_ORIGIN === undefined) headers.delete('x-sandbox-origin');
  else headers.set('x-sandbox-origin', env.SANDBOX_ORIGIN);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}
