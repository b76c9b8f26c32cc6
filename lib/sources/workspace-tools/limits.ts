/** The folder of a workspace that holds its tools: each `.js` file in it defines a tool for the model. */
export const WORKSPACE_TOOLS_FOLDER = '/.roundtrip/tools';

/** Limits for the tools of a workspace: their number, the sizes of their files, and the times that their calls may take. */
export const WORKSPACE_TOOL_LIMITS = {
  /** Tools of one workspace; more are not offered. */
  tools: 50,
  /** The maximum length of a tool's file, in characters. */
  file: 200_000,
  /** The largest file that is read, in bytes. */
  fileBytes: 1_000_000,
  /** The maximum length of a tool's description, in characters. */
  description: 8_000,
  /** Nesting of objects and lists in the `spec` that a tool's file exports, in levels. */
  depth: 30,
  /** The time limit for a call if its spec states no other, in seconds. Waiting for the user does not count. */
  seconds: 30,
  /** The longest time that a spec may allow, in seconds. */
  secondsMax: 600,
} as const;
