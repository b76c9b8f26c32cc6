import type { CallOrigin } from './call-origin.ts';
import type { ToolEffect } from './spec.ts';

/** The user's setting for tools of one toolset and effect. */
export type PermissionPolicy = 'allow' | 'ask' | 'deny';

/** `onlyOnce`: the answer counts for this call only. */
export type PermissionDecision =
  | { type: 'allow' }
  | { type: 'ask'; onlyOnce?: true }
  | { type: 'deny'; reason: string };

/** The user's settings: policies by toolset and effect, where they differ from the default. */
export type PermissionSettings = Readonly<Record<string, Partial<Record<ToolEffect, PermissionPolicy>>>>;

/** The policy by a tool's effect, unless the user has set another one. */
export const DEFAULT_POLICY: Readonly<Record<ToolEffect, PermissionPolicy>> = {
  read: 'allow',
  write: 'allow',
  execute: 'ask',
};

/** What decides whether a call may run. */
export interface PermissionRequest {
  toolset: string;
  effect: ToolEffect;
  /** Whether the thread has this tool's toolset enabled. */
  toolsetEnabled: boolean;
  settings: PermissionSettings;
  /** When the user allowed this tool in this thread, in milliseconds since the epoch; 0 if unknown. */
  grantedAt: number | undefined;
  /** When the user last changed the policy for such tools. Earlier grants in threads are void. */
  policySetAt: number | undefined;
  /** Where the call's text comes from, if not only from the model. */
  origin: CallOrigin | undefined;
}

/** The policy in force for a toolset and effect. */
export function policyFor(settings: PermissionSettings, toolset: string, effect: ToolEffect): PermissionPolicy {
  const own = Object.hasOwn(settings, toolset) ? settings[toolset]?.[effect] : undefined;
  return own ?? DEFAULT_POLICY[effect];
}

/** Whether a thread's grant is still valid. */
export const isGranted = ({ grantedAt, policySetAt = 0 }: Pick<PermissionRequest, 'grantedAt' | 'policySetAt'>) =>
  grantedAt !== undefined && grantedAt >= policySetAt;

/** Decides whether a validated call may run, must ask, or is denied. Pure. */
export function decidePermission(request: PermissionRequest): PermissionDecision {
  if (!request.toolsetEnabled) {
    return { type: 'deny', reason: `The toolset "${request.toolset}" is switched off for this thread.` };
  }
  const policy = policyFor(request.settings, request.toolset, request.effect);
  if (policy === 'deny') {
    return {
      type: 'deny',
      reason: `The user's settings do not allow "${request.toolset}" tools to ${request.effect}.`,
    };
  }
  if (request.origin !== undefined && request.effect !== 'read') return { type: 'ask', onlyOnce: true };
  return policy === 'ask' && !isGranted(request) ? { type: 'ask' } : { type: 'allow' };
}
