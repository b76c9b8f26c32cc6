import { type NextRequest, NextResponse } from 'next/server';
import { readServerEnv } from '#server/config/env.ts';
import { checkHost } from '#server/http/guard.ts';
import { pagePolicy } from '#server/http/page-policy.ts';
import { HttpProblem, problemResponse } from '#server/http/problem.ts';

/** Pages only: API routes guard themselves, static files hold nothing, and the sandbox has a policy of its own. */
export const config = { matcher: ['/((?!api/|sandbox/|_next/|.*\\.).*)'] };

const env = readServerEnv(process.env);

/** Answers known hosts only, and gives each page a content security policy with a nonce of its own. */
export function proxy(request: NextRequest): Response {
  try {
    checkHost(request, env);
  } catch (error) {
    if (error instanceof HttpProblem) return problemResponse(error);
    throw error;
  }
  const nonce = Buffer.from(crypto.randomUUID()).toString('base64');
  const policy = pagePolicy(`${request.nextUrl.protocol}//${request.headers.get('host')}`, nonce);
  // The renderer reads the nonce from the request's policy and puts it on its scripts.
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}
