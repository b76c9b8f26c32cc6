import type { ContentBlock } from '#lib/tools/core/content.ts';
import type { ToolErrorCode } from '#lib/tools/core/tool-call.ts';

/** The result of a call, as plain data, without secrets. */
export type RestOutcome =
  | { type: 'output'; content: ContentBlock[]; data?: unknown }
  | { type: 'failure'; code: ToolErrorCode; message: string };
