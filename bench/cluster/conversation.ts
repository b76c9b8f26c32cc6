/** The number of chunks of an answer, unless the question asks for another number (see `streamQuestion`). */
const WORDS = 60;

/** A question that contains this is answered with the times at which the chunks were written. */
const TIMED = 'timed';

export const questionOf = (session: number, turn: number, isTimed = false): string =>
  `session ${session}, turn ${turn}${isTimed ? `, ${TIMED}` : ''}`;

/** A question whose answer is timed, and has this many chunks. */
export const streamQuestion = (words: number): string => `${TIMED}, ${words} words`;

/** The number of chunks of the answer to a question. */
export const wordsOf = (question: string): number => Number(/(\d+) words/.exec(question)?.[1] ?? WORDS);

/** The number of calls with which a question is answered first: two in every second turn. */
export const callsIn = (question: string): number => (Number(/turn (\d+)/.exec(question)?.[1]) % 2 === 1 ? 2 : 0);

/** One chunk of the answer to a question. */
export const answerTo = (question: string, index: number): string =>
  question.includes(TIMED) ? `@${Date.now()} ` : `${question.replaceAll(/\W+/g, '-')}-${index} `;

/** The whole answer to a question that is not timed. */
export const wholeAnswer = (question: string): string =>
  Array.from({ length: WORDS }, (_, index) => answerTo(question, index)).join('');
