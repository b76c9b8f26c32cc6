import type { PageMessage } from '../protocol.ts';
import { emptyConsole } from './console.ts';
import { renderError } from './errors.ts';
import {
  boundSet,
  Channel,
  dom,
  evaluate,
  getOwnPropertyDescriptor,
  global,
  portOf,
  tellParent,
} from './primordials.ts';
import { render } from './render.ts';
import { send } from './send.ts';
import { state } from './state.ts';

/** In a worker: runs a script of its own. */
declare function importScripts(url: string): void;

/** Runs code and sends its outcome: its value, which is awaited, or what it threw. */
export async function runCode({ run, code, lexical, variables }: Extract<PageMessage, { type: 'run' }>): Promise<void> {
  state.run = run;
  emptyConsole();
  try {
    declare(lexical);
    declareVariables(variables);
    let value = evaluate(`${code}\n//# sourceURL=call-${run}.js`);
    if (value instanceof Promise) value = await value;
    send({ type: 'outcome', run, value: render(value) });
  } catch (error) {
    send({ type: 'failure', run, ...renderError(error) });
  }
  state.run = 0;
  // Arrives after everything that the code has sent this way. The page waits for it, and recognizes it by its port.
  tellParent?.(null, '*', [portOf(new Channel())]);
}

/** The global bindings that evaluations have declared. */
const declared = boundSet<string>();

/** Creates global bindings, so that even names of the window's own properties can be declared. */
function declare(names: readonly string[]): void {
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

/** Runs a script, whose declarations are global, unlike those of an eval. Returns whether it succeeded. */
function runScript(source: string): boolean {
  return dom === undefined ? runInWorker(source) : runInWindow(source, dom);
}

function runInWorker(source: string): boolean {
  try {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    importScripts(url);
    URL.revokeObjectURL(url);
    return true;
  } catch {
    return false;
  }
}

function runInWindow(source: string, { create, append, remove, rootOf, document }: NonNullable<typeof dom>): boolean {
  let failed = false;
  const onError = (event: Event) => {
    failed = true;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const script = create('script');
  script.textContent = source;
  global.addEventListener('error', onError, true);
  append(rootOf(document), script);
  remove(script);
  global.removeEventListener('error', onError, true);
  return !failed;
}
