import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A cable between the browser and the studio, which can be pulled: whatever was connected stays so without a word, as it does
 * for a laptop that has left its network.
 */
export class Cable {
  readonly #server: Server;
  readonly #pairs = new Set<[Socket, Socket]>();
  #isPulled = false;

  static async between(url: string): Promise<Cable> {
    const cable = new Cable(Number(new URL(url).port));
    await new Promise<void>((resolve) => {
      cable.#server.listen(0, 'localhost', resolve);
    });
    return cable;
  }

  private constructor(port: number) {
    this.#server = createServer((near) => {
      near.on('error', () => undefined);
      if (this.#isPulled) {
        near.pause();
        return;
      }
      const far = connect(port, 'localhost');
      far.on('error', () => near.destroy());
      near.pipe(far).pipe(near);
      const pair: [Socket, Socket] = [near, far];
      this.#pairs.add(pair);
      near.on('close', () => {
        this.#pairs.delete(pair);
        // The end of a process that was killed is no end of what it sent.
        far.destroy();
      });
    });
  }

  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on, nothing passes. Connections that there are never will be of use again. */
  pull(): void {
    this.#isPulled = true;
    for (const [near, far] of this.#pairs) {
      near.unpipe(far);
      far.unpipe(near);
      near.pause();
      far.destroy();
    }
    this.#pairs.clear();
  }

  /** New connections pass again. */
  plugIn(): void {
    this.#isPulled = false;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.#server.close(resolve);
    });
    for (const [near] of this.#pairs) near.destroy();
    this.#server.unref();
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
}
