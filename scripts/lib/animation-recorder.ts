import type { Page } from '@playwright/test';
import sharp from 'sharp';

/** A picture of the page, and how long it is shown, in milliseconds. */
interface Frame {
  picture: Buffer;
  ms: number;
}

/** The time for which the last frame is shown, in milliseconds. */
const LAST_MS = 4_000;

/** Takes pictures of a page, one after the other, until it is stopped. */
export class AnimationRecorder {
  readonly #frames: Frame[] = [];
  readonly #ended: Promise<void>;
  #isStopped = false;

  constructor(page: Page) {
    this.#ended = this.#record(page);
    // `save` rejects if the page was closed early.
    this.#ended.catch(() => undefined);
  }

  /** Writes the frames as an animated WebP of this width, in pixels; resolves with its size in bytes. */
  async save(file: string, width: number): Promise<number> {
    this.#isStopped = true;
    await this.#ended;
    const frames = this.#frames;
    const delay = frames.map(({ ms }, index) => Math.round(index === frames.length - 1 ? LAST_MS : ms));
    const pictures = await Promise.all(frames.map(({ picture }) => sharp(picture).resize({ width }).png().toBuffer()));
    const { size } = await sharp(pictures, { join: { animated: true } })
      .webp({ quality: 70, effort: 6, mixed: true, delay, loop: 0 })
      .toFile(file);
    return size;
  }

  async #record(page: Page): Promise<void> {
    let shownAt = performance.now();
    while (!this.#isStopped) {
      const picture = await page.screenshot({ caret: 'hide' });
      const now = performance.now();
      const last = this.#frames.at(-1);
      if (last !== undefined) last.ms += now - shownAt;
      shownAt = now;
      if (last === undefined || !last.picture.equals(picture)) this.#frames.push({ picture, ms: 0 });
    }
  }
}
