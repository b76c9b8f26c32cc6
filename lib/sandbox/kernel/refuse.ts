import { REFUSALS_MAX } from './limits.ts';
import { slice, toText } from './primordials.ts';
import { send } from './send.ts';
import { state } from './state.ts';

/** The part of an address that is reported, in characters. */
const TARGET_MAX_CHARS = 500;
const DIRECTIVE_MAX_CHARS = 100;

let refusals = 0;

/**
 * Reports to the studio something that code tried to access and could not. `directive`: the directive of a content security
 * policy that forbids it, or a word such as `popup`. `target`: the address that was refused. `line`: the line in the code of
 * the evaluation. Reports after the first `REFUSALS_MAX` are dropped.
 */
export function refuse(directive: string, target: unknown, line?: number): void {
  if (refusals++ >= REFUSALS_MAX) return;
  send({
    type: 'refused',
    run: state.run,
    directive: slice(directive, 0, DIRECTIVE_MAX_CHARS),
    target: slice(toText(target), 0, TARGET_MAX_CHARS),
    ...(line !== undefined && { line }),
  });
}
