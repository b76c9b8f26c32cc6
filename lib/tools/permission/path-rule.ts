import * as z from 'zod';
import { PATH_RULE_LIMITS } from '../core/limits.ts';

/** The kinds of access that a rule can be about. */
export const PATH_EFFECTS = ['read', 'write'] as const;

/** A kind of access of a call to a path. */
export type PathEffect = (typeof PATH_EFFECTS)[number];

/** The policies that a rule can have, the strictest first: of all rules that match, the strictest counts. */
export const PATH_POLICIES = ['deny', 'ask', 'allow'] as const;

/** The policy of a rule for the paths that it matches. */
export type PathPolicy = (typeof PATH_POLICIES)[number];

/** The user's rule about paths of a workspace. The pattern is a glob; see `compileRule` in `path-rules.ts`. */
const pathRuleSchema = z.object({
  pattern: z.string().max(PATH_RULE_LIMITS.pattern),
  effects: z.array(z.enum(PATH_EFFECTS)),
  policy: z.enum(PATH_POLICIES),
});

/** The user's rule about paths of a workspace. */
export type PathRule = z.infer<typeof pathRuleSchema>;

/**
 * The user's rules about paths, in the order in which they are shown, which has no other meaning. Rules that are not valid
 * are left out; the others stay.
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
 * A path that a call reads or writes, as the call names it. `isDeep`: the access is to everything below `path`, too, and to
 * the entry itself if it is a symlink. `contentsOf`: a path whose contents the call moves or copies to `path`.
 */
export interface PathAccess {
  path: string;
  effects: readonly PathEffect[];
  isDeep?: true;
  contentsOf?: string;
}

/** A real path, what a call does with it, and the pattern of the rule that decides about that. */
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
