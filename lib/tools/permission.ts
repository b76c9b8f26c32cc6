import type { CallOrigin } from './call-origin.ts';
import type { ToolEffect } from './tool.ts';

/** What the person set for a toolset's tools of one effect. */
export type PermissionPolicy = 'allow' | 'ask' | 'deny';

/** `onlyOnce`: an answer counts for this call and no other. */
export type PermissionDecision =
  | { type: 'allow' }
  | { type: 'ask'; onlyOnce?: true }
  | { type: 'deny'; reason: string };

/** The person's settings: a policy by toolset and effect, where it differs from the default. */
export type PermissionSettings = Readonly<Record<string, Partial<Record<ToolEffect, PermissionPolicy>>>>;

export const DEFAULT_POLICY: Readonly<Record<ToolEffect, PermissionPolicy>> = {
  read: 'allow',
  write: 'allow',
  execute: 'ask',
};

export interface PermissionRequest {
  toolset: string;
  effect: ToolEffect;
  /** Whether the thread has this tool's toolset switched on. */
  toolsetEnabled: boolean;
  settings: PermissionSettings;
  /** When the person allowed this tool in this thread, in milliseconds since the epoch; 0 where nobody knows. */
  grantedAt: number | undefined;
  /** When the person last set what tools of this kind may do: a thread's grant of before that is void. */
  policySetAt: number | undefined;
  /** Where the call's text comes from, if not from the model alone. */
  origin: CallOrigin | undefined;
}

/** The policy in force for a toolset and effect. */
export function policyFor(settings: PermissionSettings, toolset: string, effect: ToolEffect): PermissionPolicy {
  const own = Object.hasOwn(settings, toolset) ? settings[toolset]?.[effect] : undefined;
  return own ?? DEFAULT_POLICY[effect];
}

/** Whether a thread's grant still counts. */
export const isGranted = ({ grantedAt, policySetAt = 0 }: Pick<PermissionRequest, 'grantedAt' | 'policySetAt'>) =>
  grantedAt !== undefined && grantedAt >= policySetAt;

/** Pure: whether a validated call may run, must ask, or is refused. */
export function decidePermission(request: PermissionRequest): PermissionDecision {
  if (!request.toolsetEnabled) {
    return { type: 'deny', reason: `The toolset "${request.toolset}" is switched off for this thread.` };
  }
  const policy = policyFor(request.settings, request.toolset, request.effect);
  if (policy === 'deny') {
    return {
      type: 'deny',
      reason: `The person's settings do not allow ${request.effect} by "${request.toolset}" tools.`,
    };
  }
  if (request.origin !== undefined && request.effect !== 'read') return { type: 'ask', onlyOnce: true };
  return policy === 'ask' && !isGranted(request) ? { type: 'ask' } : { type: 'allow' };
}
