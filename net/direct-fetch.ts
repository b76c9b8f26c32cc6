import { StepError } from '#lib/agent/problems.ts';
import { proxiedFetch } from './proxy.ts';

/**
 * `fetch` that does not follow redirects: the key and the conversation go only to the configured address.
 * `request` makes the request. Rejects with `StepError` `endpoint-error` for a redirect.
 */
export async function directFetch(
  input: Parameters<typeof fetch>[0],
  init?: RequestInit,
  request: typeof fetch = proxiedFetch,
): Promise<Response> {
  const response = await request(input, { ...init, redirect: 'manual' });
  const location = response.headers.get('location');
  if (response.status < 300 || response.status >= 400 || location === null) return response;
  await response.body?.cancel();
  const from = new URL(input instanceof Request ? input.url : input);
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined;
  throw new StepError(
    'endpoint-error',
    `${from.origin} redirects to ${to === undefined ? 'another address' : to.origin + to.pathname}, and redirects are not followed. ` +
      'Set the base URL to the address it redirects to.',
  );
}
