import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isSeq, parseDocument } from 'yaml';
import type { LocalFolder } from './local-folder.ts';

/**
 * Keeps in the folder's configuration that a tool is allowed, or only commands that begin in certain ways. What is in the
 * file stays as it is, comments included. Throws Node's errors.
 */
export function allowInConfig(
  { own }: Pick<LocalFolder, 'own'>,
  toolName: string,
  commands: readonly string[] | undefined,
): void {
  const place = own.at('config.yaml');
  const document = parseDocument(existsSync(place) ? readFileSync(place, 'utf8') : '');
  if (commands === undefined) document.setIn(['tools', toolName], 'allow');
  else {
    const known = document.getIn(['commands', 'allow']);
    const allowed = isSeq(known) ? known.items.map(String) : [];
    document.setIn(['commands', 'allow'], [...new Set([...allowed, ...commands])]);
  }
  writeFileSync(`${place}.new`, document.toString(), { mode: 0o600 });
  renameSync(`${place}.new`, place);
}
