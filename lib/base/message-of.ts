/** Returns the message of an error or, if something other than an `Error` was thrown, that value as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
