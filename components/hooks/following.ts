/** The end counts as reached within this distance, in CSS pixels; positions can be fractions of one. */
export const END_DISTANCE = 2;

/** Whether the end of the list is followed as it grows: reaching the end starts that, and scrolling up stops it. */
export class Following {
  isOn: boolean;
  readonly #scroller: HTMLElement;
  #top = 0;
  #height = 0;

  constructor(scroller: HTMLElement, isOn: boolean) {
    this.#scroller = scroller;
    this.isOn = isOn;
  }

  /** Looks where the scroller is. To be called before anything else reacts to its position. */
  look(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    if (scrollHeight - scrollTop - clientHeight <= END_DISTANCE) this.isOn = true;
    // Content that became shorter moves the position as well.
    else if (scrollTop < this.#top && scrollHeight >= this.#height) this.isOn = false;
    this.#top = scrollTop;
    this.#height = scrollHeight;
  }

  /** Calls `toEnd` when the scroller changes its size while the end is followed. Returns what ends that. */
  onResize(toEnd: () => void): () => void {
    const resizes = new ResizeObserver(() => {
      if (this.isOn) toEnd();
    });
    resizes.observe(this.#scroller);
    return () => resizes.disconnect();
  }
}
