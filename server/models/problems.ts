import { describeModelError as describe } from '#lib/agent/problems.ts';
import type { Problem } from '#lib/messages/message.ts';
import { redact } from '#server/log/redact.ts';

/** Describes an error by code, with the endpoint's own message if it has one, and without the server's secrets. */
export const describeModelError = (error: unknown): Problem => describe(error, redact);
