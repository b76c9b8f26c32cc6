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
 * The user's rules about paths, in the order in which they are shown, which has no other meaning. A rule that cannot be
 * read does not take the others with it.
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
 * A path that a call reads or writes, as the call names it. `isDeep`: the entry itself, even if it is a symlink, with
 * everything below it. `contentsOf`: what is below that path arrives below this one.
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

/** The decision of the rules about a call: that of the strictest one. `found`: the paths that it is about. */
export type PathVerdict = { type: 'deny' | 'ask'; found: readonly RuledPath[] } | { type: 'allow' };

/**
 * The rules that protect paths while a call runs, as plain data. `approved`: the paths that they ask about, and that
 * the user has allowed this call to access, with everything below them.
 */
export interface ProtectedPaths {
  rules: readonly PathRule[];
  approved: readonly Pick<RuledPath, 'path' | 'effect'>[];
}
