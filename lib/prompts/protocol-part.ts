/** Prompted text in, the stream's own parts out. How the input was cut never matters: concatenated, the parts are the same. */
export type ProtocolPart =
  | { type: 'text-delta'; delta: string }
  | { type: 'reasoning-delta'; delta: string }
  | { type: 'tool-input-start'; toolCallId: string; toolName: string }
  /** JSON text of the arguments; the deltas of a call, concatenated, parse to `input`. */
  | { type: 'tool-input-delta'; toolCallId: string; delta: string }
  /**
   * `incomplete`: cut inside a value; must never be executed. Arguments that are no JSON come as the string they
   * are, which fits no tool's schema.
   */
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown; incomplete?: true }
  /**
   * The call at this index among the reply's calls may only have been shown: text follows where a call ends a reply.
   * `excerpt`: the call as it was written, with what stands around it. Comes last.
   */
  | { type: 'doubtful-call'; index: number; excerpt: string }
  /** The reply holds no call, although it began one in a call's form and named this tool in it. Comes last, at most once. */
  | { type: 'unreadable-call'; toolName: string };
