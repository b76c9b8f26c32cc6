import { dom, global } from './primordials.ts';

/** Loads a script and runs it in the global scope. Only workers have this. */
declare function importScripts(url: string): void;

/** Runs a script, whose declarations are global, unlike those of an eval. Returns whether it succeeded. */
export function runScript(source: string): boolean {
  return dom === undefined ? runInWorker(source) : runInWindow(source, dom);
}

function runInWorker(source: string): boolean {
  try {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    importScripts(url);
    URL.revokeObjectURL(url);
    return true;
  } catch {
    // `declare` finds out whether that matters.
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
