import * as z from 'zod';
import { PATH_RULE_LIMITS } from '../core/limits.ts';

/** The kinds of access to paths that the user's rules can be about. */
export const PATH_EFFECTS = ['read', 'write'] as const;

/** A kind of access to a path: reading or writing. */
export type PathEffect = (typeof PATH_EFFECTS)[number];

/**
 * The policies that a rule about paths can have, the strictest first: of all rules that match a path, the strictest counts.
 */
export const PATH_POLICIES = ['deny', 'ask', 'allow'] as const;

/** The policy of a rule for the paths that it matches: access is denied, asked about, or allowed. */
export type PathPolicy = (typeof PATH_POLICIES)[number];

/** The user's rule about paths of a workspace. The pattern is a glob; see `compileRule` in `path-rules.ts`. */
const pathRuleSchema = z.object({
  pattern: z.string().max(PATH_RULE_LIMITS.pattern),
  effects: z.array(z.enum(PATH_EFFECTS)),
  policy: z.enum(PATH_POLICIES),
});

/** A rule of the user about paths of a workspace: a glob, the kinds of access, and the policy for them. */
export type PathRule = z.infer<typeof pathRuleSchema>;

/**
 * The schema of the user's rules about paths, in the order in which they are shown, which has no other meaning. Rules that
 * are not valid are left out; the others stay.
 */
export const pathRulesSchema = z
  .array(z.unknown())
  .catch([])
  .transform((rules) =>
    rules.flatMap((rule): PathRule[] => {
      const { data } = pathRuleSchema.safeParse(rule);
      return data === undefined ? [] : [data];
    }),
  );

/**
 * A path that a call reads or writes, as the call names it. `isDeep`: the access is to everything below `path`, too, and, if
 * `path` is a symlink, to the symlink itself instead of its target. `contentsOf`: a path whose contents the call moves or
 * copies to `path`.
 */
export interface PathAccess {
  path: string;
  effects: readonly PathEffect[];
  isDeep?: true;
  contentsOf?: string;
}

/** A path without symlinks, an access of a call to it, and the pattern of the rule that decides about this access. */
export interface RuledPath {
  path: string;
  effect: PathEffect;
  pattern: string;
}

/** The decision of the rules about a call: the strictest policy that applies. `found`: the paths to which it applies. */
export type PathVerdict = { type: 'deny' | 'ask'; found: readonly RuledPath[] } | { type: 'allow' };

/**
 * The rules that protect paths while a call runs, as plain data. `approved`: paths that the rules ask about and that the user
 * has allowed this call to access, with everything below them.
 */
export interface ProtectedPaths {
  rules: readonly PathRule[];
  approved: readonly Pick<RuledPath, 'path' | 'effect'>[];
}
