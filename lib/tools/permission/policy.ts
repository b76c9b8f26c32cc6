import type { ToolEffect } from '../core/spec.ts';

/**
 * The policies that a user can choose for tools of one toolset and effect: `allow`, `ask`, `deny`, and `review`, which is like
 * `ask` with a review of what is written.
 */
export const PERMISSION_POLICIES = ['allow', 'review', 'ask', 'deny'] as const;

/** The user's setting for tools of one toolset and effect: one of `PERMISSION_POLICIES`, such as `ask`. */
export type PermissionPolicy = (typeof PERMISSION_POLICIES)[number];

/**
 * Returns the policies that can be chosen for an effect: `review` only for `write`, because only what is written can be
 * reviewed.
 */
export const policiesFor = (effect: ToolEffect): PermissionPolicy[] =>
  PERMISSION_POLICIES.filter((policy) => policy !== 'review' || effect === 'write');

/** The policies that the user has set, by toolset and effect. Where none is set, `DEFAULT_POLICY` applies. */
export type PermissionSettings = Readonly<Record<string, Partial<Record<ToolEffect, PermissionPolicy>>>>;

/**
 * The policy for tools with each effect, unless the user has set another one: reading and writing are allowed, and the user is
 * asked about running.
 */
export const DEFAULT_POLICY: Readonly<Record<ToolEffect, PermissionPolicy>> = {
  read: 'allow',
  write: 'allow',
  execute: 'ask',
};
