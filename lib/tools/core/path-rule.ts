import * as z from 'zod';
import { PATH_RULE_LIMITS } from './limits.ts';

/** What a rule can be about. */
export const PATH_EFFECTS = ['read', 'write'] as const;

/** What a call does with a path. */
export type PathEffect = (typeof PATH_EFFECTS)[number];

/** What a rule can say, the strictest first: of all rules that match, the strictest counts. */
export const PATH_POLICIES = ['deny', 'ask', 'allow'] as const;

/** What a rule says about the paths that it matches. */
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

/** What the rules say about a call. `found`: the paths about which the strictest of them says it. */
export type PathVerdict = { type: 'deny' | 'ask'; found: readonly RuledPath[] } | { type: 'allow' };

/**
 * What the rules protect while a call runs, as plain data. `approved`: what they ask about, and the user has allowed this
 * call to do, with everything below it.
 */
export interface ProtectedPaths {
  rules: readonly PathRule[];
  approved: readonly Pick<RuledPath, 'path' | 'effect'>[];
}
