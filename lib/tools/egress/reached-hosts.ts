import type { Tool } from '../core/tool.ts';
import { parseToolInput } from '../schema/parse-input.ts';

/**
 * An address’s host as permissions and records name it: in ASCII, so that look-alikes differ, and with its port, unless that
 * is 443 for HTTPS.
 */
export function hostOf({ protocol, hostname, port }: URL): string {
  if (protocol === 'https:') return port === '' ? hostname : `${hostname}:${port}`;
  return `${hostname}:${port === '' ? '80' : port}`;
}

/** The hosts that a call sends requests to, by `reaches`; none if its arguments are not valid, or its tool has no `reaches`. */
export function reachedHosts({ parse, reaches }: Partial<Pick<Tool, 'parse' | 'reaches'>>, input: unknown): string[] {
  if (parse === undefined || reaches === undefined) return [];
  const parsed = parseToolInput({ parse }, input);
  return parsed.success ? [...new Set(reaches(parsed.data))] : [];
}
