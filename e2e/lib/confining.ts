import { spawnSync } from 'node:child_process';

/** The programs that confine others. */
const CONFINING = ['bwrap', 'socat', 'rg'] as const;

/** The reason why programs cannot be confined here; undefined if they can be. */
export function missingForConfinement(): string | undefined {
  const missing = CONFINING.filter((name) => !isInstalled(name));
  if (missing.length > 0) return `${missing.join(', ')} not installed`;
  const { status } = spawnSync(CONFINING[0], ['--unshare-user', '--ro-bind', '/', '/', '/bin/true'], {
    stdio: 'ignore',
  });
  return status === 0 ? undefined : 'this system does not let bwrap confine programs';
}

/** Checks whether a program is on the path. */
export const isInstalled = (name: string): boolean => spawnSync('/bin/sh', ['-c', `command -v ${name}`]).status === 0;
