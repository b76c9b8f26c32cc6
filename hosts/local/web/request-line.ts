import type { ToldRequest } from './request-record.ts';

/** The reasons why a request could be sent, for people to read. */
const DECISIONS: Readonly<Record<ToldRequest['decision'], string>> = {
  asked: 'you were asked',
  thread: 'allowed in this session',
  always: 'always allowed',
  policy: 'allowed by the settings',
  denied: 'denied',
};

/**
 * Describes a request of a call in one line for people: the tool, the host, whether and why it was allowed, and what came of
 * it.
 */
export function requestLine({ host, toolName, decision, status, sent, received, refused }: ToldRequest): string {
  const sizes = `${sent} bytes sent, ${received} received`;
  const outcome = decision === 'denied' ? [] : [status === undefined ? sizes : `status ${status}, ${sizes}`];
  const reason = refused === undefined ? [] : [refused];
  return [`request of ${toolName} to ${host} (${DECISIONS[decision]})`, ...outcome, ...reason].join(': ');
}
