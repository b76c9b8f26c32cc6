import type { ToolEffect } from './tool.ts';

/** What the person set for a toolset's tools of one effect. `ask`: once per thread and tool. */
export type PermissionPolicy = 'allow' | 'ask' | 'deny';

export type PermissionDecision = { type: 'allow' } | { type: 'ask' } | { type: 'deny'; reason: string };

/** The person's settings: a policy by toolset and effect, where it differs from the default. */
export type PermissionSettings = Readonly<Record<string, Partial<Record<ToolEffect, PermissionPolicy>>>>;

export const DEFAULT_POLICY: Readonly<Record<ToolEffect, PermissionPolicy>> = {
  read: 'allow',
  write: 'allow',
  execute: 'ask',
};

export interface PermissionRequest {
  toolName: string;
  toolset: string;
  effect: ToolEffect;
  /** Whether the thread has this tool's toolset switched on. */
  toolsetEnabled: boolean;
  settings: PermissionSettings;
  /** Names of the tools the person has already allowed in this thread. */
  grantedInThread: readonly string[];
}

/** The policy in force for a toolset and effect. */
export function policyFor(settings: PermissionSettings, toolset: string, effect: ToolEffect): PermissionPolicy {
  const own = Object.hasOwn(settings, toolset) ? settings[toolset]?.[effect] : undefined;
  return own ?? DEFAULT_POLICY[effect];
}

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
  if (policy === 'ask' && !request.grantedInThread.includes(request.toolName)) return { type: 'ask' };
  return { type: 'allow' };
}
