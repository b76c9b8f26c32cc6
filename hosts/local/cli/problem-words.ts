import type { ProblemCode } from '#lib/agent/problems.ts';
import type { Problem } from '#lib/messages/message.ts';

/** The texts about problems: what has gone wrong, and what to do about it. */
const WORDS: Partial<Record<ProblemCode, { what: string; next: string }>> = {
  'key-missing': { what: 'There is no key for this model.', next: 'Set its variable in the environment.' },
  'key-refused': { what: 'The model’s server refused the key.', next: 'Check the variable that holds it.' },
  'model-not-found': { what: 'The server does not have this model.', next: 'Choose another one with --model.' },
  'rate-limited': { what: 'The server gets too many requests.', next: 'Wait a moment.' },
  'no-credit': { what: 'The account has no credit left.', next: 'Add credit, or choose another model with --model.' },
  'access-refused': { what: 'The server refused access.', next: 'Choose another model with --model.' },
  'endpoint-unreachable': {
    what: 'The model’s server cannot be reached.',
    next: 'Check that it runs, and its address.',
  },
  'endpoint-timeout': { what: 'The model’s server did not answer in time.', next: 'Try again.' },
  'endpoint-error': { what: 'The model’s server reported an error.', next: 'Try again, or look at its log.' },
  'stream-broken': { what: 'The answer broke off.', next: 'Try again.' },
  'empty-reply': { what: 'The model answered nothing.', next: 'Try again, or choose another model with --model.' },
};

/**
 * Describes a problem with a model for people: what has gone wrong, what to do, and the detail from the server with the name of
 * the model in front; only the detail for a problem without such a text.
 */
export function problemText(model: string, { code, detail }: Problem): string {
  const words = WORDS[code as ProblemCode];
  return words === undefined ? detail : `${words.what} ${words.next}\n${model}: ${detail}`;
}
