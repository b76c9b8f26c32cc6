import type { ContentBlock } from '#lib/tools/core/content.ts';
import type { ToolErrorCode } from '#lib/tools/core/tool-call.ts';

/**
 * The outcome of calling an API's tool, as plain data, without secrets. `content`: the result for the model. `data`: the
 * result's value if it is JSON and not too long.
 */
export type RestOutcome =
  | { type: 'output'; content: ContentBlock[]; data?: unknown }
  | { type: 'failure'; code: ToolErrorCode; message: string };
