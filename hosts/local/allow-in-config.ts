import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Document, isSeq, parseDocument } from 'yaml';
import { ConfigError } from '#config/errors.ts';
import type { LocalFolder } from './local-folder.ts';
import type { Allowed } from './permissions.ts';

/**
 * Writes into a folder's configuration that calls of a tool are allowed; with `commands`, that commands with these beginnings
 * are allowed instead, and with `hosts`, requests to these hosts. The rest of the file stays as it is, comments included, and
 * a file that was trusted stays trusted. Throws `ConfigError` for a file that cannot be read or is not trusted, and Node's
 * errors.
 */
export function allowInConfig(
  { openedConfig }: Pick<LocalFolder, 'openedConfig'>,
  toolName: string,
  { commands, hosts }: Allowed,
): void {
  const { content, trust, withheld, isTheirs } = openedConfig;
  const { path: place } = content;
  const before = existsSync(place) ? readFileSync(place, 'utf8') : '';
  // Others may have written to it, and nothing that they allow may be trusted along with this.
  const isTrusted = before === content.text ? withheld.length === 0 : trust?.of({ ...content, text: before });
  if (!isTheirs && isTrusted !== true)
    throw new ConfigError(`${place} is not trusted as it is. Look at it, then run “roundtrip trust” in this folder.`);
  const document = parseDocument(before);
  const [fault] = document.errors;
  if (fault !== undefined)
    throw new ConfigError(`${place} has been changed, and cannot be read: ${fault.message.split('\n', 1)[0]}`);
  if (hosts !== undefined) addTo(document, ['web', 'allow'], hosts);
  else if (commands !== undefined) addTo(document, ['commands', 'allow'], commands);
  else document.setIn(['tools', toolName], 'allow');
  const draft = `${place}.${randomUUID()}`;
  try {
    // Never through a link that somebody has put there.
    const text = document.toString();
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    trust?.put({ ...content, text }, true);
    renameSync(draft, place);
  } finally {
    rmSync(draft, { force: true });
  }
}

function addTo(document: Document, path: readonly string[], added: readonly string[]): void {
  const known = document.getIn(path);
  const all = isSeq(known) ? known.items.map(String) : [];
  document.setIn(path, [...new Set([...all, ...added])]);
}
