import { isIP } from 'node:net';
import { addressKind, isLoopback } from '#net/addresses.ts';

/** Endings of addresses that people copy from documentation, which are not part of the base URL. */
const TOO_MUCH = /\/(chat\/completions|completions|responses|messages|models|embeddings|api\/(chat|generate|tags))$/;

/**
 * Returns the base URLs that a typed address may stand for, the most likely one first: as it is, but without endings such as
 * `/chat/completions`; with `/v1`; and with the other scheme. Only for addresses of this machine is https changed to http;
 * others would get a key unencrypted. Empty if the text is no address.
 */
export function baseUrlCandidates(typed: string): string[] {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `${isOwnHost(typed) ? 'http' : 'https'}://${typed}`;
  if (!URL.canParse(text) || !/^https?:/i.test(text)) return [];
  const url = new URL(text);
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '').replace(TOO_MUCH, '');
  const base = url.href.replace(/\/+$/, '');
  const hasVersion = /\/v\d+[a-z]*(\/|$)/.test(url.pathname);
  const asTyped = hasVersion ? [base] : [base, `${base}/v1`];
  return [...asTyped, ...withOtherScheme(url, asTyped)];
}

function withOtherScheme({ protocol, hostname }: URL, addresses: readonly string[]): string[] {
  if (protocol === 'http:') return addresses.map((one) => one.replace(/^http:/, 'https:'));
  const isThisMachine = hostname === 'localhost' || isLoopback(hostname);
  return isThisMachine ? addresses.map((one) => one.replace(/^https:/, 'http:')) : [];
}

/** Checks whether a typed address is probably on this machine or in its network, where servers rarely use https. */
function isOwnHost(address: string): boolean {
  const [host = ''] = address.toLowerCase().split('/');
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return isIP(name) === 0
    ? name === 'localhost' || !name.includes('.') || name.endsWith('.local')
    : addressKind(name) === 'private';
}
