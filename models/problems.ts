import { describeModelError as describe } from '#lib/agent/problems.ts';
import type { Problem } from '#lib/messages/message.ts';
import { redact, withoutKey } from '#log/redact.ts';

/**
 * Describes an error of a request to a model by code, with the endpoint's own message if it has one, and without the
 * server's secrets. `key`: a key that came with a request, which is removed, too.
 */
export const describeModelError = (error: unknown, key?: string): Problem =>
  describe(error, (text) => redact(withoutKey(text, key)));
