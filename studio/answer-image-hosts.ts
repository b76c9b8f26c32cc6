import { grantTime, hostGrantName, type Thread } from '#lib/threads/thread.ts';
import type { EgressDecision } from '#lib/tools/egress/egress.ts';
import { allowedHostAt, type Settings } from './settings.ts';

/**
 * The name that takes the place of a toolset's in permissions for hosts: answers may show images from a host that is allowed
 * under this name.
 */
export const ANSWER_IMAGES = 'images';

const IMAGES = { toolset: ANSWER_IMAGES };

/**
 * The reason why images of a host are loaded without a question: allowed in this thread, or always. Undefined if the person has
 * to be asked.
 */
export function imageDecision(
  thread: Pick<Thread, 'grants' | 'grantedAt'>,
  settings: Pick<Settings, 'allowedHosts'>,
  host: string,
): EgressDecision | undefined {
  if (grantTime(thread, hostGrantName(IMAGES, host)) !== undefined) return 'thread';
  return allowedHostAt(settings, IMAGES, host) === undefined ? undefined : 'always';
}

/**
 * Returns a thread's grants, which are what the user has allowed in it, with one added that lets its answers show images
 * from a host.
 */
export function withImageHost(
  { grants, grantedAt }: Pick<Thread, 'grants' | 'grantedAt'>,
  host: string,
): Pick<Thread, 'grants' | 'grantedAt'> {
  const name = hostGrantName(IMAGES, host);
  return { grants: [...new Set([...grants, name])], grantedAt: { ...grantedAt, [name]: Date.now() } };
}
