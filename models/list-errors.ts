import { ConfigError } from '#config/errors.ts';
import { refusalCode, StepError } from '#lib/agent/problems.ts';
import { redact, withoutKey } from '#log/redact.ts';
import { EndpointError } from './providers/endpoint.ts';

/**
 * Describes the reason why a list of models could not be read, without secrets: addresses may contain passwords, and
 * endpoints repeat keys (rule R18). `key`: a key that came with the request.
 */
export function describeListError(error: unknown, key?: string): { code: string; detail: string } {
  const { code, detail } = explainListError(error);
  return { code, detail: redact(withoutKey(detail, key)) };
}

function explainListError(error: unknown): { code: string; detail: string } {
  if (error instanceof StepError) return error.problem;
  if (error instanceof ConfigError) return { code: 'bad-configuration', detail: error.message };
  if (error instanceof EndpointError) {
    return { code: codeOf(error), detail: error.message };
  }
  if (error instanceof Error && error.name === 'ZodError') {
    return { code: 'not-a-list', detail: 'The endpoint’s response is not a list of models.' };
  }
  if (error instanceof SyntaxError)
    return { code: 'not-an-api', detail: 'The address returned something other than data, such as a web page.' };
  if (error instanceof Error && error.name === 'TimeoutError')
    return { code: 'endpoint-timeout', detail: 'The address did not answer in time.' };
  return { code: 'endpoint-unreachable', detail: error instanceof Error ? causeOf(error) : String(error) };
}

/** Matches error messages about a wrong key. Google sends one with the status 400. */
const KEY_REFUSED = /api[ -]?key.{0,20}(not valid|invalid|incorrect)|(invalid|incorrect).{0,5}api[ -]?key/i;

function codeOf({ status, message }: EndpointError): string {
  if (status === 400 && KEY_REFUSED.test(message)) return 'key-refused';
  if (status === 408 || status === 504) return 'endpoint-timeout';
  return refusalCode(status, message) ?? (status >= 500 ? 'endpoint-error' : 'not-a-list');
}

function causeOf(error: Error): string {
  const cause = error.cause;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
