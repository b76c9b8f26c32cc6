import { grantTime, hostGrantName, type Thread } from '#lib/threads/thread.ts';
import type { EgressDecision } from '#lib/tools/egress/egress.ts';
import { allowedHostAt, type Settings } from './settings.ts';

/** Stands for a toolset among the hosts that are allowed: answers may show images of these. */
export const ANSWER_IMAGES = 'images';

const IMAGES = { toolset: ANSWER_IMAGES };

/** The reason why images of a host are loaded without a question; undefined if there has to be one. */
export function imageDecision(
  thread: Pick<Thread, 'grants' | 'grantedAt'>,
  settings: Pick<Settings, 'allowedHosts'>,
  host: string,
): EgressDecision | undefined {
  if (grantTime(thread, hostGrantName(IMAGES, host)) !== undefined) return 'thread';
  return allowedHostAt(settings, IMAGES, host) === undefined ? undefined : 'always';
}

/** The grants of a thread with a host whose images its answers may show. */
export function withImageHost(
  { grants, grantedAt }: Pick<Thread, 'grants' | 'grantedAt'>,
  host: string,
): Pick<Thread, 'grants' | 'grantedAt'> {
  const name = hostGrantName(IMAGES, host);
  return { grants: [...new Set([...grants, name])], grantedAt: { ...grantedAt, [name]: Date.now() } };
}
