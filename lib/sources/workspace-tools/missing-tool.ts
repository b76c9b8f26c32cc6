/** The reason why a tool that has a file in the workspace is not offered. */
type MissingBecause = 'waiting' | 'refused' | { reason: string };

/** Tells the model why a tool is not offered whose file it may have written itself, and what to do. */
export function missingTool(path: string, why: MissingBecause): string {
  if (why === 'waiting')
    return `The user has not allowed ${path} as it is now. Ask them to, and go on without it until then.`;
  if (why === 'refused') return `The user does not allow ${path} as it is now. Go on without it.`;
  return `${path} cannot be used. ${why.reason}`;
}
