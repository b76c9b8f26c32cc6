import { WEB_LIMITS } from './limits.ts';

/**
 * Returns the problem with a web address, such as `must begin with https:// or http://`; undefined if a request can be sent
 * there.
 */
export function addressProblem(url: string): string | undefined {
  if (url.length > WEB_LIMITS.url) return `must have at most ${WEB_LIMITS.url} characters`;
  if (!URL.canParse(url)) return 'must be a full address, such as https://example.org/page';
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not contain a username or password';
  return undefined;
}
