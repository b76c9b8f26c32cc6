/** The length of the pieces in which a text is compared with the request, in characters. Shorter agreement is chance. */
const PIECE_CHARACTERS = 30;

/** The part of a request in which the words of a refusal are looked for, from its end, in characters. */
const SEARCHED_CHARACTERS = 400_000;

/** Matches what precedes the endpoint's own words in the body of its response. */
const BEFORE_OWN_WORDS = /(?:^|"(?:message|detail|error|msg)"\s*:\s*")$/;

/**
 * Returns an endpoint's error text without the passages that repeat the request, as messages about an invalid body do, so that
 * words of the prompt are not taken for the reason of its refusal. The beginning of an error's message stays, even if the
 * prompt has the same words: a person may ask about a refusal, and get the same one. `request`: the body of the request, as
 * sent.
 */
export function withoutEcho(said: string, request: unknown): string {
  const written = request === undefined ? '' : JSON.stringify(request);
  const sent = [textsIn(request).join('\n'), written].map((text) => text.slice(-SEARCHED_CHARACTERS)).join('\n');
  let own = '';
  let end = 0;
  for (const { index } of said.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)) {
    if (index < end) continue;
    if (index + PIECE_CHARACTERS > said.length) break;
    const at = sent.indexOf(said.slice(index, index + PIECE_CHARACTERS));
    if (at === -1) continue;
    let to = index + PIECE_CHARACTERS;
    while (to < said.length && said[to] === sent[at + to - index]) to += 1;
    const isOwn = BEFORE_OWN_WORDS.test(said.slice(Math.max(0, index - 20), index));
    own += isOwn ? said.slice(end, to) : `${said.slice(end, index)} `;
    end = to;
  }
  return own + said.slice(end);
}

/** All texts in a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
