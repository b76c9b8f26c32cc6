import { grantTime, hostGrantName, type Thread } from '#lib/threads/thread.ts';
import type { EgressDecision } from '#lib/tools/egress/egress.ts';
import { allowedHostAt, type Settings } from './settings.ts';

/**
 * The name under which hosts are allowed for images in answers. A permission for a host names the toolset that may reach it.
 * Images in answers belong to no toolset, and have this name in its place.
 */
export const ANSWER_IMAGES = 'images';

const IMAGES = { toolset: ANSWER_IMAGES };

/**
 * The reason why images of a host are loaded into answers without a question: `thread` if the person has allowed the host in
 * this thread, `always` if in all threads. Undefined if the person has to be asked.
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
 * Returns a thread's `grants` (all that the user has allowed in it) and `grantedAt` (when), with one permission added: the
 * thread's answers may show images from `host` without a question. If that is allowed already, only its time changes.
 */
export function withImageHost(
  { grants, grantedAt }: Pick<Thread, 'grants' | 'grantedAt'>,
  host: string,
): Pick<Thread, 'grants' | 'grantedAt'> {
  const name = hostGrantName(IMAGES, host);
  return { grants: [...new Set([...grants, name])], grantedAt: { ...grantedAt, [name]: Date.now() } };
}
