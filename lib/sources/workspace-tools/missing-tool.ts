/**
 * The reason why a tool that has a file in the workspace is not offered: the user has not allowed the file yet (`waiting`),
 * does not allow it (`refused`), or it cannot be used.
 */
type MissingBecause = 'waiting' | 'refused' | { reason: string };

/**
 * Returns a message that tells the model why a tool of the workspace is not offered, and what to do. `path`: the tool's file,
 * which the model may have written itself. `why`: the user has not allowed the file yet, does not allow it, or it cannot be
 * used for the given reason.
 */
export function missingTool(path: string, why: MissingBecause): string {
  if (why === 'waiting')
    return `The user has not allowed ${path} as it is now. Ask them to, and go on without it until then.`;
  if (why === 'refused') return `The user does not allow ${path} as it is now. Go on without it.`;
  return `${path} cannot be used. ${why.reason}`;
}
