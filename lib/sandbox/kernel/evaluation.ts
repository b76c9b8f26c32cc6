import type { PageMessage } from '../protocol.ts';
import { emptyConsole } from './console.ts';
import { renderError } from './errors.ts';
import { boundSet, evaluate, getOwnPropertyDescriptor, global, PromiseClass } from './primordials.ts';
import { render } from './render.ts';
import { send } from './send.ts';
import { state } from './state.ts';

/** The functions that `runCode` needs from the place where the kernel runs: a window, a worker, or a process. */
export interface EvaluationHost {
  /** Runs a script, whose declarations are global, unlike those of an eval. Returns whether it succeeded. */
  runScript(source: string): boolean;
  /** Called when the outcome of an evaluation has been sent. */
  onEnd(): void;
}

/**
 * Runs one evaluation: declares the names in `lexical` as with `let` and those in `variables` with `var`, runs the compiled
 * code in the global scope, and sends the outcome: the code's value, which is awaited, or what the code threw.
 */
export async function runCode(
  { run, code, lexical, variables }: Extract<PageMessage, { type: 'run' }>,
  host: EvaluationHost,
): Promise<void> {
  state.run = run;
  emptyConsole();
  try {
    declare(lexical, host);
    declareVariables(variables);
    let value = evaluate(`${code}\n//# sourceURL=call-${run}.js`);
    if (value instanceof PromiseClass) value = await value;
    send({ type: 'outcome', run, value: render(value) });
  } catch (error) {
    send({ type: 'failure', run, ...renderError(error) });
  }
  state.run = 0;
  host.onEnd();
}

/** The global bindings that evaluations have declared. */
const declared = boundSet<string>();

/**
 * Creates the global bindings that do not exist yet with `let`, so that even names of the window's own properties can be
 * declared. Throws `SyntaxError` for the name of a property that can be neither replaced nor changed.
 */
function declare(names: readonly string[], { runScript }: EvaluationHost): void {
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (name === undefined || declared.has(name)) continue;
    if (!runScript(`let ${name};`)) {
      const property = getOwnPropertyDescriptor(global, name);
      if (property !== undefined && !property.configurable && property.writable !== true)
        throw new SyntaxError(`Identifier '${name}' has already been declared`);
    }
    declared.add(name);
  }
}

function declareVariables(names: readonly string[]): void {
  if (names.length === 0) return;
  let list = '';
  for (let index = 0; index < names.length; index++) list += `${index === 0 ? '' : ','}${names[index]}`;
  evaluate(`var ${list};`);
}
