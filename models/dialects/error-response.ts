import { REAL_STATUS_HEADER } from '#lib/agent/problems.ts';
import { defined } from '#lib/base/defined.ts';
import { beginningOf } from './beginning.ts';
import { type Failure, failureIn, failureOfText, isPage, pageTitle } from './failure.ts';
import { fieldsOf, isFilled, parsed, textOf } from './fields.ts';

/** Returns the response with another body of the media type `type`, without the headers that describe the original one. */
export function withBody({ status, statusText, headers }: Response, body: BodyInit, type: string): Response {
  const kept = [...headers].filter(([name]) => !NOT_KEPT.has(name));
  return new Response(body, { status, statusText, headers: [...kept, ['content-type', type]] });
}

const NOT_KEPT: ReadonlySet<string> = new Set([
  'content-length',
  'content-encoding',
  'content-type',
  'transfer-encoding',
]);

/** Converts a failure to the form in which the AI SDK reads errors, with its status as `code`. */
export const errorOf = ({ message, status, type }: Failure) => ({
  message,
  ...defined({ type, code: status }),
});

/** Makes the body of an error response, with all fields that the SDKs of providers need to find its sentence. */
const bodyOf = (failure: Failure) => ({
  type: 'error',
  error: {
    type: 'api_error',
    status: 'FAILED',
    ...fieldsOf(fieldsOf(failure.original).error),
    ...errorOf(failure),
  },
});

/**
 * Makes an error response for a failure that a server sent with the status 200, which the header `REAL_STATUS_HEADER` keeps.
 * Its status is the one that the failure names, otherwise `status`.
 */
export const asError = (failure: Failure, status: number): Response =>
  Response.json(bodyOf(failure), {
    status: failure.status ?? status,
    headers: { [REAL_STATUS_HEADER]: '200' },
  });

/**
 * Returns an error response with the server's message where the AI SDK looks for it in the body. The status stays the same.
 */
export async function correctedError(response: Response): Promise<Response> {
  const text = await beginningOf(response);
  const value = parsed(text);
  const known = textOf(fieldsOf(fieldsOf(value).error).message);
  const failure = isFilled(value) || Array.isArray(value) ? failureIn(value, 'error') : undefined;
  // An error in the usual form stays as it is.
  if (known !== '' && known === failure?.message) return withBody(response, text, 'application/json');
  const { statusText, status } = response;
  const page = isPage(text) ? pageTitle(text).replace(new RegExp(`^\\W*${status}\\W*`), '') || statusText : undefined;
  const said = failure ?? failureOfText(page ?? (text.trim() || statusText || `Status ${status}.`), status);
  const { original: _, ...failed } = { ...said, status };
  const body = { ...bodyOf(failed), ...defined({ original: value }) };
  return withBody(response, JSON.stringify(body), 'application/json');
}
