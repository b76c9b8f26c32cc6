/** The measurements of the page itself. Times are in milliseconds since its navigation started. */
export interface Probe {
  /** When the row with the ending, and the message box, were first on the screen. */
  opened: Promise<number>;
  /** The lengths of the tasks over 50 ms since the last time that they were taken. */
  takeTasks(): number[];
  /** The time from each key to the frame that shows it, since the last time that they were taken. */
  takeKeys(): number[];
  /** Elements in the document, and those of them that are not part of the last message. */
  countElements(): { all: number; outside: number };
  /** Prepares `switched` for the next click, which is to show another thread with these words in its outermost rows. */
  awaitSwitch(words: { beginning: string; ending: string }): void;
  /** The time from that click to the frame that shows the other thread's last row, or its first, and which it is. */
  switched: Promise<{ ms: number; isAtEnd: boolean }>;
  /** Scrolls from the end to the start; resolves with the longest run of frames that showed a gap without messages. */
  scrollToStart(): Promise<{ frames: number; blank: number }>;
}

/** Adds `threadProbe` to a page before its own scripts run. Self-contained, because it runs there. */
export function installProbe(ending: string): void {
  if (window !== window.top) return;
  const STEP_PX = 600;
  const SAMPLE_PX = 20;
  const GAP_PX = 100;
  const FRAMES_AT_START = 10;
  const FRAMES_MAX = 20_000;

  const tasks: number[] = [];
  const note = (entries: PerformanceEntryList) => tasks.push(...entries.map(({ duration }) => duration));
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'longtask', buffered: true });

  /** Calls back in the next frame, before and after it is painted. */
  const onFrame = (before: () => void, after: () => void) =>
    requestAnimationFrame(() => {
      before();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = after;
      port2.postMessage(undefined);
    });

  const articles = () => document.querySelectorAll<HTMLElement>('main article');
  const firstArticle = () => articles()[0];
  const lastArticle = () => [...articles()].at(-1);
  function scrollerOf(article: Element): HTMLElement {
    for (
      let parent = article.parentElement;
      parent !== null && parent.tagName !== 'MAIN';
      parent = parent.parentElement
    )
      if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
    throw new Error('The messages are in no part of the page that scrolls.');
  }

  function isOnScreen(text: string, article = lastArticle()): boolean {
    if (article === undefined || article.textContent?.includes(text) !== true) return false;
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null && walker.currentNode.textContent?.includes(text) !== true);
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const { left, top, bottom, width } = range.getBoundingClientRect();
    const shown = scrollerOf(article).getBoundingClientRect();
    if (width === 0 || top < shown.top || bottom > shown.bottom) return false;
    return article.contains(document.elementFromPoint(left + width / 2, (top + bottom) / 2));
  }
  const isBoxOnScreen = () => (document.querySelector('main textarea')?.getClientRects().length ?? 0) > 0;

  /** Resolves with the time of the first frame in which this is the case before it is painted and after. */
  const firstFrame = (isSo: () => boolean): Promise<number> =>
    new Promise((resolve) => {
      const look = () => {
        let isReady = false;
        onFrame(
          () => {
            isReady = isSo();
          },
          () => {
            if (isReady && isSo()) resolve(performance.now());
            else look();
          },
        );
      };
      look();
    });

  const keys: number[] = [];
  let pressedAt: number | undefined;
  const onKey = (event: Event) => {
    pressedAt = event.timeStamp;
  };
  const onInput = () => {
    const from = pressedAt;
    pressedAt = undefined;
    if (from === undefined) return;
    onFrame(
      () => undefined,
      () => keys.push(performance.now() - from),
    );
  };
  addEventListener('keydown', onKey, true);
  addEventListener('input', onInput, true);

  /** Checks whether more than 100 px of the middle column of the conversation show no message. */
  function isBlank(scroller: HTMLElement): boolean {
    const { top, bottom, left, width } = scroller.getBoundingClientRect();
    let gap = 0;
    for (let y = top + 1; y < bottom; y += SAMPLE_PX) {
      const isInMessage = document
        .elementsFromPoint(left + width / 2, y)
        .some((element) => scroller.contains(element) && element.closest('article') !== null);
      gap = isInMessage ? 0 : gap + SAMPLE_PX;
      if (gap > GAP_PX) return true;
    }
    return false;
  }

  const probe: Probe = {
    opened: firstFrame(() => isBoxOnScreen() && isOnScreen(ending)),
    takeTasks() {
      note(observer.takeRecords());
      return tasks.splice(0);
    },
    takeKeys: () => keys.splice(0),
    countElements() {
      const all = document.querySelectorAll('*').length;
      return { all, outside: all - (lastArticle()?.querySelectorAll('*').length ?? 0) };
    },
    awaitSwitch({ beginning, ending: otherEnding }) {
      probe.switched = new Promise((resolve) => {
        const isThere = () => isOnScreen(otherEnding) || isOnScreen(beginning, firstArticle());
        const onClick = ({ timeStamp }: Event) =>
          void firstFrame(isThere).then((at) => resolve({ ms: at - timeStamp, isAtEnd: isOnScreen(otherEnding) }));
        addEventListener('click', onClick, { capture: true, once: true });
      });
    },
    switched: Promise.resolve({ ms: 0, isAtEnd: false }),
    scrollToStart: () =>
      new Promise((resolve, reject) => {
        const article = lastArticle();
        if (article === undefined) return reject(new Error('There is no message.'));
        const scroller = scrollerOf(article);
        let [frames, run, blank, atStart] = [0, 0, 0, 0];
        const step = () =>
          onFrame(
            () => scroller.scrollBy({ top: -STEP_PX, behavior: 'instant' }),
            () => {
              frames++;
              run = isBlank(scroller) ? run + 1 : 0;
              blank = Math.max(blank, run);
              atStart = scroller.scrollTop <= 0 ? atStart + 1 : 0;
              if (frames > FRAMES_MAX) reject(new Error('Scrolling never reached the start.'));
              else if (atStart >= FRAMES_AT_START) resolve({ frames, blank });
              else step();
            },
          );
        step();
      }),
  };
  Object.assign(window, { threadProbe: probe });
}
