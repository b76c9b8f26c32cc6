import type { AssistantMessage } from '#lib/messages/message.ts';
import type { CallExpectation, Scenario, ScenarioVariant } from './scenario.ts';

/** The outcome of a scenario run. */
interface ScenarioOutcome {
  /** The turns that answered the prompts, in order. */
  turns: readonly AssistantMessage[];
  /** The workspace's text files by path. */
  files: ReadonlyMap<string, string>;
}

interface MadeCall {
  tool: string;
  input: ReadonlyMap<string, unknown>;
  outcome: string;
}

/** The kinds of failures of a scenario, from those that happen first to those that show in the end. */
export const FAILURE_KINDS = {
  studio: 'the studio could not be used',
  turn: 'a turn failed',
  prose: 'prose in place of a call',
  'invalid-call': 'a call with invalid arguments',
  call: 'wrong calls',
  file: 'wrong files',
  answer: 'wrong answer',
  steps: 'too many steps',
} as const;

export type FailureKind = keyof typeof FAILURE_KINDS;

/** The kind of the first thing that went wrong in a run; undefined if nothing did. `failures`: from `checkScenario`. */
export function failureKindOf(
  failures: readonly string[],
  turns: readonly AssistantMessage[],
): FailureKind | undefined {
  const [first] = failures;
  if (first === undefined) return undefined;
  if (turns.length === 0) return 'studio';
  if (turns.some(({ status }) => status.type !== 'done')) return 'turn';
  const calls = turns.flatMap(callsOf);
  if (first.startsWith(NO_CALL)) {
    if (calls.length === 0) return 'prose';
    return calls.some(({ outcome }) => INVALID.has(outcome)) ? 'invalid-call' : 'call';
  }
  if (first.startsWith('/')) return 'file';
  return first.startsWith('the answer') ? 'answer' : 'steps';
}

const NO_CALL = 'no call of ';
const INVALID: ReadonlySet<string> = new Set(['invalid-input', 'incomplete', 'no-such-tool']);

/** Descriptions of all failed expectations; empty if the scenario passed. */
export function checkScenario(scenario: Scenario, variant: ScenarioVariant, outcome: ScenarioOutcome): string[] {
  const { expect } = scenario;
  const failures: string[] = [];
  for (const turn of outcome.turns) {
    if (turn.status.type === 'failed')
      failures.push(`a turn failed: ${turn.status.problem.code}: ${turn.status.problem.detail}`);
    else if (turn.status.type !== 'done') failures.push(`a turn is ${turn.status.type}`);
  }
  if (outcome.turns.length !== variant.prompts.length) {
    failures.push(`expected answers to ${variant.prompts.length} prompts, but got ${outcome.turns.length}`);
  }
  const made = outcome.turns.flatMap(callsOf);
  failures.push(...(expect.order === 'sequence' ? checkSequence(expect.calls, made) : checkSet(expect.calls, made)));
  for (const [path, file] of Object.entries(expect.files)) {
    const content = outcome.files.get(path);
    if (file === 'absent') {
      if (content !== undefined) failures.push(`${path} exists, but should not`);
    } else if (content === undefined)
      failures.push(`${path} does not exist; the files are: ${[...outcome.files.keys()].join(', ')}`);
    else {
      for (const pattern of file.matches)
        if (!pattern.test(content)) failures.push(`${path} does not match ${pattern}`);
      for (const pattern of file.notMatches)
        if (pattern.test(content)) failures.push(`${path} matches ${pattern}, but should not`);
    }
  }
  const answer = textOf(outcome.turns.at(-1));
  for (const pattern of variant.answer)
    if (!pattern.test(answer))
      failures.push(`the answer does not match ${pattern}: ${JSON.stringify(answer.slice(0, 300))}`);
  const steps = outcome.turns.flatMap(({ parts }) => parts).filter(({ type }) => type === 'step').length;
  if (expect.maxSteps !== undefined && steps > expect.maxSteps)
    failures.push(`${steps} steps were taken, at most ${expect.maxSteps} are allowed`);
  return failures;
}

/** All text of a turn. */
export const textOf = (turn: AssistantMessage | undefined): string =>
  (turn?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n');

function callsOf(turn: AssistantMessage): MadeCall[] {
  return turn.parts.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const input = typeof part.input === 'object' && part.input !== null ? Object.entries(part.input) : [];
    const outcome =
      part.result === undefined ? 'pending' : part.result.type === 'tool-result' ? 'success' : part.result.code;
    return [{ tool: part.toolName, input: new Map(input), outcome }];
  });
}

function checkSequence(expected: readonly CallExpectation[], made: readonly MadeCall[]): string[] {
  let next = 0;
  for (const expectation of expected) {
    while (next < made.length && !fits(expectation, made[next])) next++;
    if (next === made.length) return [missing(expectation, made, 'in this order')];
    next++;
  }
  return [];
}

function checkSet(expected: readonly CallExpectation[], made: readonly MadeCall[]): string[] {
  /** The expectation assigned to each call, by index. */
  const meets = new Map<number, number>();
  // A call that fits several expectations is assigned to the one that no other call fits (augmenting paths).
  const assign = (place: number, expectation: CallExpectation, tried: Set<number>): boolean =>
    made.some((call, at) => {
      if (tried.has(at) || !fits(expectation, call)) return false;
      tried.add(at);
      const other = meets.get(at);
      const rival = other === undefined ? undefined : expected[other];
      if (other !== undefined && rival !== undefined && !assign(other, rival, tried)) return false;
      meets.set(at, place);
      return true;
    });
  return expected.flatMap((expectation, place) =>
    assign(place, expectation, new Set()) ? [] : [missing(expectation, made, 'in any order')],
  );
}

function fits({ tool, input, outcome }: CallExpectation, call: MadeCall | undefined): boolean {
  if (call?.tool !== tool || call.outcome !== outcome) return false;
  return Object.entries(input).every(([name, pattern]) => {
    const value = call.input.get(name);
    return pattern.test(typeof value === 'string' ? value : JSON.stringify(value ?? null));
  });
}

function missing({ tool, outcome }: CallExpectation, made: readonly MadeCall[], how: string): string {
  const calls = made.map((call) => `${call.tool} (${call.outcome})`).join(', ') || 'none';
  return `${NO_CALL}${tool} with outcome ${outcome}, ${how}; the calls were: ${calls}`;
}
