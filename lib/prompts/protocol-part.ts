/** A part of a parsed reply. However the reply was split into chunks, the concatenated parts are the same. */
export type ProtocolPart =
  | { type: 'text-delta'; delta: string }
  | { type: 'reasoning-delta'; delta: string }
  | { type: 'tool-input-start'; toolCallId: string; toolName: string }
  /** JSON text of the arguments; the deltas of a call, concatenated, parse to `input`. */
  | { type: 'tool-input-delta'; toolCallId: string; delta: string }
  /**
   * `incomplete`: the call was cut off inside a value and must never be executed. Arguments that are not JSON are
   * passed on as a string, which fits no tool's schema.
   */
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown; incomplete?: true }
  /**
   * The call at this index among the reply's calls may only be an example: text follows it, although a call should end
   * the reply. `excerpt`: the call as it was written, with the surrounding text. Comes last.
   */
  | { type: 'doubtful-call'; index: number; excerpt: string }
  /**
   * The text after the calls was dropped, because the model invented it: a result, or the user's next message. Comes
   * last.
   */
  | { type: 'invented-result' }
  /**
   * The reply contains no call, although it started one and named this tool in it, or wrote a result of it. Comes last,
   * at most once.
   */
  | { type: 'unreadable-call'; toolName: string };
