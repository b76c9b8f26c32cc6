import type { ToolEffect } from '../core/spec.ts';
import type { EgressDecision } from '../egress/egress.ts';
import type { CallOrigin } from '../execution/call-origin.ts';
import type { PathVerdict, RuledPath } from './path-rule.ts';
import { DEFAULT_POLICY, type PermissionPolicy, type PermissionSettings } from './policy.ts';

/**
 * The decision on whether a call may run. `by`: the kind of the user's earlier permission, such as `thread` for one that counts
 * in this thread; absent if none is needed. `onlyOnce`: the answer counts for this call only. `isReview`: the user wants to
 * review the call's changes. `paths`: paths that rules ask about. `reason`: a sentence for the model.
 */
export type PermissionDecision =
  | { type: 'allow'; by?: EgressDecision }
  | { type: 'ask'; onlyOnce?: true; isReview?: true; paths?: readonly RuledPath[] }
  | { type: 'deny'; reason: string };

/**
 * The user's decision about the hosts that a call reaches. `known`: all of them are allowed, and `by` says how they were.
 * `ask`: at least one is not, so that the user has to be asked.
 */
export type HostVerdict = { type: 'known'; by: EgressDecision } | { type: 'ask' };

/** The information by which `decidePermission` decides whether a call may run. */
export interface PermissionRequest {
  toolset: string;
  effect: ToolEffect;
  /** Whether the thread has this tool's toolset enabled. */
  toolsetEnabled: boolean;
  settings: PermissionSettings;
  /** When the user allowed this tool in this thread, in milliseconds since the epoch; 0: unknown; undefined: not allowed. */
  grantedAt: number | undefined;
  /**
   * The time at which the user last changed the policy for calls of this toolset with this effect (reading, writing, running).
   * Permissions that were given in a thread before do not count any more.
   */
  policySetAt: number | undefined;
  /** The origin of the call's text, if it may not come from the model alone. */
  origin: CallOrigin | undefined;
  /** Whether the user reviews all changes in this thread. */
  reviews?: boolean | undefined;
  /** The decision of the user's rules about paths, if they say anything about the call. */
  paths?: PathVerdict | undefined;
  /** The user's decision about the hosts that the call reaches; absent if it reaches none. */
  hosts?: HostVerdict | undefined;
  /**
   * Whether the user has allowed an external tool in all threads, in its current definition. Absent for the studio's own
   * tools. `grantedAt` must be about the current definition, too.
   */
  isKnown?: boolean | undefined;
  /** Whether the tool only calls other tools; each of those calls is checked for permission. */
  delegates?: boolean | undefined;
  /** Whether the tool says that its effects cannot be undone. */
  isDestructive?: boolean | undefined;
}

/**
 * Returns the policy (such as `allow` or `ask`) for calls of a toolset's tools with this effect: the one that the user has set
 * for this toolset and effect, or else the default for the effect (see `DEFAULT_POLICY`).
 */
export function policyFor(settings: PermissionSettings, toolset: string, effect: ToolEffect): PermissionPolicy {
  const own = Object.hasOwn(settings, toolset) ? settings[toolset]?.[effect] : undefined;
  return own ?? DEFAULT_POLICY[effect];
}

/** Checks whether the user has allowed a tool in the thread, and has not changed the policy since. */
export const isGranted = ({ grantedAt, policySetAt = 0 }: Pick<PermissionRequest, 'grantedAt' | 'policySetAt'>) =>
  grantedAt !== undefined && grantedAt >= policySetAt;

/**
 * Decides whether a validated call may run, is denied, or has to be asked about. Pure. A rule about paths can make the policy
 * stricter. One that allows replaces the policy's question, but not a review, or the question about a call's origin. The user
 * is asked about each call of a destructive tool, and about each call with effects whose text may not come from the model
 * alone. They are asked about an external tool until they have allowed its current definition and, under the policy `ask`,
 * about the hosts that a call reaches until they have allowed these.
 */
export function decidePermission(request: PermissionRequest): PermissionDecision {
  if (!request.toolsetEnabled) {
    return { type: 'deny', reason: `The toolset "${request.toolset}" is turned off for this thread.` };
  }
  const policy = policyFor(request.settings, request.toolset, request.effect);
  if (policy === 'deny') {
    return {
      type: 'deny',
      reason: `The user's settings do not allow "${request.toolset}" tools to ${request.effect}.`,
    };
  }
  const { paths } = request;
  if (paths?.type === 'deny') return { type: 'deny', reason: denialOf(paths.found) };
  const isReview = request.effect === 'write' && (request.reviews === true || policy === 'review');
  // A tool that only reads here changes nothing; one that reads elsewhere tells others what it is asked.
  const hasEffects = request.effect !== 'read' || request.isKnown !== undefined;
  const isForeign = request.origin !== undefined && hasEffects;
  if (isForeign || paths?.type === 'ask' || request.isDestructive === true)
    return {
      type: 'ask',
      onlyOnce: true,
      ...(isReview && { isReview }),
      ...(paths?.type === 'ask' && { paths: paths.found }),
    };
  if (request.delegates === true) return { type: 'allow' };
  // The grant in the thread is for the tool as it is now.
  if (request.isKnown === false) return isGranted(request) ? { type: 'allow', by: 'thread' } : { type: 'ask' };
  if (policy === 'ask' && request.hosts !== undefined)
    return request.hosts.type === 'known' ? { type: 'allow', by: request.hosts.by } : { type: 'ask' };
  // A user who reviews changes wants to see each of them, whatever was allowed before.
  if (isReview && (request.reviews === true || !isGranted(request))) return { type: 'ask', isReview };
  if (policy !== 'ask' || paths?.type === 'allow')
    return { type: 'allow', ...(request.isKnown === true && { by: 'always' as const }) };
  return isGranted(request) ? { type: 'allow', by: 'thread' } : { type: 'ask' };
}

/** The most paths that a denial names. */
const NAMED_PATHS = 5;

function denialOf(found: readonly RuledPath[]): string {
  const paths = [...new Set(found.map(({ path }) => path))];
  const more = paths.length - NAMED_PATHS;
  const names = `${paths.slice(0, NAMED_PATHS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `One of the user’s rules protects ${names}. Do not try to access it in another way.`;
}
