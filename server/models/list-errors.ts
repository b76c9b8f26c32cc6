import { StepError } from '#lib/agent/problems.ts';
import { ConfigError } from '#server/config/errors.ts';
import { redact, withoutKey } from '#server/log/redact.ts';
import { EndpointError } from './providers/endpoint.ts';

/**
 * Describes why a list of models could not be read. Addresses may contain passwords, and endpoints repeat keys (rule
 * R18). `key`: one that came with a request.
 */
export function describeListError(error: unknown, key?: string): { code: string; detail: string } {
  const { code, detail } = explainListError(error);
  return { code, detail: redact(withoutKey(detail, key)) };
}

function explainListError(error: unknown): { code: string; detail: string } {
  if (error instanceof StepError) return error.problem;
  if (error instanceof ConfigError) return { code: 'bad-configuration', detail: error.message };
  if (error instanceof EndpointError) {
    const { status, message: detail } = error;
    const code = status === 401 || status === 403 ? 'key-refused' : status === 429 ? 'rate-limited' : 'endpoint-error';
    return { code, detail };
  }
  if (error instanceof Error && error.name === 'ZodError') {
    return { code: 'endpoint-error', detail: 'The endpoint’s response is not a list of models.' };
  }
  if (error instanceof SyntaxError)
    return { code: 'not-an-api', detail: 'The address returned something other than data, such as a web page.' };
  if (error instanceof Error && error.name === 'TimeoutError')
    return { code: 'endpoint-timeout', detail: 'The address did not answer in time.' };
  return { code: 'endpoint-unreachable', detail: error instanceof Error ? causeOf(error) : String(error) };
}

function causeOf(error: Error): string {
  const cause = error.cause;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
