import type { ShownPage } from '../protocol.ts';
import { scriptNames } from './errors.ts';
import { removeFetch } from './fetch.ts';
import { askForFile, removeFiles } from './files.ts';
import { listenForHashes } from './history.ts';
import { evaluate, global, slice, toText } from './primordials.ts';
import { listenForRefusals } from './refusals.ts';
import { send } from './send.ts';
import { state } from './state.ts';
import { listenForErrors } from './uncaught.ts';

const TITLE_MAX_CHARS = 1_000;
const ADDRESS_MAX_CHARS = 2_000;

/**
 * Shows a page in the window: gives each script a `blob:` address, which replaces the script's token in the HTML, runs the
 * page's prelude, which prepares the window, and then writes the HTML. Must be called before any other code has run in the
 * window. Sends `loaded` when the page has loaded, and `pressed` when the user presses the pointer in it.
 */
export function openPage({ html, scripts, prelude, given }: ShownPage): void {
  state.isPage = true;
  let whole = html;
  for (const { name, token, text } of scripts) {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    scriptNames.set(url, name);
    whole = whole.split(token).join(url);
  }
  removeFiles();
  removeFetch();
  // Removes the window's listeners.
  document.open();
  listenForErrors();
  listenForRefusals();
  listenForHashes();
  const onLoad = () => send({ type: 'loaded', title: slice(toText(document.title), 0, TITLE_MAX_CHARS) });
  global.addEventListener('load', onLoad, { once: true });
  // Code cannot create a trusted event.
  const onPress = ({ isTrusted }: Event) => isTrusted && send({ type: 'pressed' });
  global.addEventListener('pointerdown', onPress, { capture: true });
  const prepare = evaluate(`(${prelude})`) as (given: object) => void;
  prepare({
    ...given,
    readFile: (path: unknown) => askForFile('read', path),
    bundle: (path: unknown) => askForFile('bundle', path),
    scroll: (x: number, y: number) => send({ type: 'scrolled', x: +x, y: +y }),
    store: (area: 'local' | 'session', entries: Record<string, string>) => send({ type: 'stored', area, entries }),
    leave: (address: string) => send({ type: 'leaving', address: slice(toText(address), 0, ADDRESS_MAX_CHARS) }),
  });
  document.write(whole);
  document.close();
}
