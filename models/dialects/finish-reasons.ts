/** The reason why a reply ended, in the words of OpenAI's chat completions. `error`: the server could not finish it. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'error';

/** The words that servers use for each reason, in lower case and without separators. */
const REASONS: Readonly<Record<FinishReason, readonly string[]>> = {
  stop: [
    'stop',
    'eos',
    'eostoken',
    'endturn',
    'stopsequence',
    'complete',
    'completed',
    'done',
    'finished',
    'end',
    'endofturn',
    'normal',
  ],
  length: [
    'length',
    'maxtokens',
    'maxlength',
    'maxoutputtokens',
    'modellength',
    'modelcontextwindowexceeded',
    'limit',
    'maxnewtokens',
  ],
  tool_calls: ['toolcalls', 'toolcall', 'tooluse', 'functioncall', 'functioncalls'],
  content_filter: [
    'contentfilter',
    'contentfiltered',
    'safety',
    'sensitive',
    'recitation',
    'prohibitedcontent',
    'blocklist',
    'spii',
    'refusal',
    'guardrailintervened',
  ],
  error: [
    'error',
    'networkerror',
    'insufficientsystemresource',
    'enginefailure',
    'servererror',
    'malformedfunctioncall',
    'unexpectedtoolcall',
    'overloaded',
    'abort',
    'aborted',
    'cancelled',
  ],
};

const BY_WORD: ReadonlyMap<string, FinishReason> = new Map(
  (Object.entries(REASONS) as [FinishReason, readonly string[]][]).flatMap(([reason, words]) =>
    words.map((word) => [word, reason] as const),
  ),
);

/** Words for a reply that goes on. */
const NOT_YET = /^(null|none|inprogress|unfinished|incomplete|running|pending|continue|streaming|generating)$/;

/**
 * Reads the reason that a server gives for the end of a reply; undefined if it gives none yet. An unknown word counts as
 * `stop`.
 */
export function finishReasonOf(value: unknown): FinishReason | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.toLowerCase().replace(/[^a-z]/g, '');
  return word === '' || NOT_YET.test(word) ? undefined : (BY_WORD.get(word) ?? 'stop');
}
