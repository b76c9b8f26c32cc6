import { print } from './console.ts';
import { global, toText } from './primordials.ts';
import { refuse } from './refuse.ts';

/**
 * Replaces `alert`, `confirm`, `prompt`, `print`, and `open`, which a frame would silently ignore. The new functions print the
 * attempt to the console, or report it as refused (`open`), and answer as if the user had cancelled.
 */
export function replaceDialogs(): void {
  const tell = (text: string) => print('info', [text]);
  global.alert = (message: unknown = '') => tell(`alert: ${toText(message)}`);
  global.confirm = (message: unknown = '') => {
    tell(`confirm: ${toText(message)} (there are no dialogs here; the answer is "Cancel")`);
    return false;
  };
  global.prompt = (message: unknown = '') => {
    tell(`prompt: ${toText(message)} (there are no dialogs here; there is no answer)`);
    return null;
  };
  global.print = () => tell('print: nothing is printed here');
  global.open = (address: unknown = '') => {
    refuse('popup', address);
    return null;
  };
}
