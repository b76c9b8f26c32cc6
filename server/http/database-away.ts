/** Codes of connections that fail, and of PostgreSQL while it stops, starts, has no connection left, or has given up waiting. */
const AWAY_CODE =
  /^(?:53300|55P03|25P03|57014|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|57P0[123]|08\w{3})$/;

/** Messages of the client for PostgreSQL that come without a code. */
const AWAY_MESSAGE =
  /^(?:Connection terminated|Cannot use a pool after calling end|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/;

/**
 * Checks whether an error says that the database cannot be reached at present: because a connection fails, or because the
 * database starts, stops, has no connection left, or does not answer in time. Also looks at the error's causes, however deep,
 * and at the errors of an `AggregateError`. False for any other error, such as a faulty statement.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  const isAway = (typeof code === 'string' && AWAY_CODE.test(code)) || AWAY_MESSAGE.test(error.message);
  return isAway || (error.cause !== undefined && isDatabaseAway(error.cause));
}
