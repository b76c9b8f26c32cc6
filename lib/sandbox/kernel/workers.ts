import { WORKERS_MAX } from './limits.ts';
import { global, toText, uncurried } from './primordials.ts';

/**
 * Limits the workers that code can start, because their threads take the machine's time from the page: at most `WORKERS_MAX`
 * at once, after which starting one throws `RangeError`, and none inside of them. A worker counts until `terminate()` is
 * called on it.
 */
export function limitWorkers(): void {
  const { Worker: Original, XMLHttpRequest: Request, Blob: Bytes, URL: Address } = global;
  const makeUrl = Address.createObjectURL.bind(Address);
  const terminate = uncurried(Original.prototype.terminate);
  let running = 0;

  const sourceOf = (url: unknown): string => {
    const request = new Request();
    request.open('GET', toText(url), false);
    request.send();
    return request.responseText;
  };

  const Limited = new Proxy(Original, {
    construct(target, given) {
      if (running >= WORKERS_MAX)
        throw new RangeError(
          `At most ${WORKERS_MAX} workers can run at once; call terminate() on those that are done.`,
        );
      const source = `delete self.Worker; ${sourceOf(given[0])}`;
      const worker = new target(makeUrl(new Bytes([source], { type: 'text/javascript' })), given[1]);
      running++;
      return worker;
    },
  });

  const ended = new WeakSet<Worker>();
  const hasEnded = ended.has.bind(ended);
  const noteEnd = ended.add.bind(ended);
  Original.prototype.constructor = Limited;
  Original.prototype.terminate = function () {
    terminate(this);
    if (hasEnded(this)) return;
    noteEnd(this);
    running--;
  };
  Object.defineProperty(global, 'Worker', { value: Limited, configurable: true, writable: true });
}
