import { isWriting } from './is-writing.ts';

/**
 * The distance, in CSS pixels, within which the end of a list counts as reached: scroll positions can be fractions of a
 * pixel.
 */
export const END_DISTANCE = 2;

/** Keys that scroll up. */
const KEYS_UP = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps track of whether a view that scrolls should stay at its end while its content grows, as a chat does while an answer
 * arrives (`isOn`). Reaching the end turns this on, and scrolling up turns it off. Does not scroll itself: the code that uses
 * it does so while `isOn` is true.
 */
export class Following {
  isOn: boolean;
  readonly #scroller: HTMLElement;
  #top = 0;
  #height = 0;

  constructor(scroller: HTMLElement, isOn: boolean) {
    this.#scroller = scroller;
    this.isOn = isOn;
  }

  /**
   * Sets `isOn` by how the scroll position has changed since the last call. Must be called whenever the position has changed,
   * before other code reacts to that.
   */
  look(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    // A hidden scroller has no position.
    if (clientHeight === 0) return;
    if (scrollHeight - scrollTop - clientHeight <= END_DISTANCE) {
      // The first steps of scrolling up are still near the end.
      if (scrollTop > this.#top || scrollHeight < this.#height) this.isOn = true;
    }
    // Content that changes its height moves the position as well.
    else if (scrollTop < this.#top && scrollHeight === this.#height) this.isOn = false;
    this.#top = scrollTop;
    this.#height = scrollHeight;
  }

  /**
   * Turns `isOn` off as soon as the user begins to scroll up, by wheel, key, touch, or scroll bar. `look` alone would be too
   * late: browsers scroll in small steps, and in between, code that still follows growing content would scroll to the end
   * again. Returns a function that stops watching.
   */
  watchGestures(): () => void {
    const scroller = this.#scroller;
    const stop = (event: Event) => {
      if (scroller.scrollTop > 0 && !isTakenByOther(event.target, scroller)) this.isOn = false;
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && !event.ctrlKey) stop(event);
    };
    const onKey = (event: KeyboardEvent) => {
      const { key, shiftKey, altKey, target, defaultPrevented } = event;
      if (altKey || defaultPrevented || !(KEYS_UP.has(key) || (key === ' ' && shiftKey)) || isWriting(target)) return;
      // A click into text focuses nothing.
      if (target === document.body || (target instanceof Node && scroller.contains(target))) stop(event);
    };
    const onPress = (event: PointerEvent) => {
      const isScrollBar = event.target === scroller && event.offsetX >= scroller.clientWidth;
      if (isScrollBar) stop(event);
    };
    let touchedAt = 0;
    const onTouchStart = ({ touches }: TouchEvent) => {
      touchedAt = touches[0]?.clientY ?? 0;
    };
    const onTouchMove = (event: TouchEvent) => {
      if ((event.touches[0]?.clientY ?? 0) > touchedAt) stop(event);
    };
    const ended = new AbortController();
    const options = { passive: true, signal: ended.signal };
    scroller.addEventListener('wheel', onWheel, options);
    scroller.addEventListener('pointerdown', onPress, options);
    document.addEventListener('keydown', onKey, options);
    scroller.addEventListener('touchstart', onTouchStart, options);
    scroller.addEventListener('touchmove', onTouchMove, options);
    return () => ended.abort();
  }

  /** Calls `toEnd` when the scroller changes its size while the end is followed. Returns a function that stops this. */
  onResize(toEnd: () => void): () => void {
    const resizes = new ResizeObserver(() => {
      if (this.isOn) toEnd();
    });
    resizes.observe(this.#scroller);
    return () => resizes.disconnect();
  }
}

/** Checks whether an element inside the scroller, such as a block of code, would scroll up instead of it. */
function isTakenByOther(target: EventTarget | null, scroller: HTMLElement): boolean {
  for (let element = target; element instanceof Element && element !== scroller; element = element.parentElement)
    if (element.scrollTop > 0) return true;
  return false;
}
