import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/run.ts';
import type { Services } from '../../server/services.ts';
import { STUDIO_COOKIE } from './studio-cookie.ts';

/** Options for starting the server of a studio. */
export interface StudioServerOptions {
  /** The content of `models.yaml`; by default, the models of the scripted server. */
  models?: string;
  /** Environment variables, besides those of other tests. */
  env?: Readonly<Record<string, string>>;
}

const running = new Map<string, StudioServer>();
const current = new AsyncLocalStorage<Promise<Services>>();

/**
 * A studio's server of a test's own. It answers through the same routes as that of the other tests, in the same process,
 * but with services in an environment of its own. A cookie says which server a page belongs to.
 */
export class StudioServer {
  readonly id = randomUUID();
  readonly #services: Promise<Services>;
  readonly #folder: string;
  readonly #responses = new Set<ServerResponse>();

  static async start({ models, env = {} }: StudioServerOptions = {}): Promise<StudioServer> {
    const folder = mkdtempSync(join(tmpdir(), 'roundtrip-page-'));
    const file = join(folder, 'models.yaml');
    if (models !== undefined) writeFileSync(file, models);
    // Not a static import: Vite bundles those of its configuration, and what the routes import must be there once.
    const { openServices } = (await import(
      join(ROOT, 'server/services.ts')
    )) as typeof import('../../server/services.ts');
    const services = openServices({ ...process.env, ...(models !== undefined && { MODELS_FILE: file }), ...env });
    const server = new StudioServer(services, folder);
    await services;
    running.set(server.id, server);
    return server;
  }

  private constructor(services: Promise<Services>, folder: string) {
    this.#services = services;
    this.#folder = folder;
  }

  /** Answers a request of a page that belongs to this server. */
  async answer(response: ServerResponse, answer: () => Promise<void>): Promise<void> {
    this.#responses.add(response);
    response.once('close', () => this.#responses.delete(response));
    await current.run(this.#services, answer);
  }

  /** Ends it at once, in the middle of its answers. */
  async stop(): Promise<void> {
    running.delete(this.id);
    for (const response of this.#responses) response.destroy();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The server that a request with these cookies goes to: that of all tests, one of a test's own, or one that has gone. */
export function studioServerFor(cookies = ''): StudioServer | 'common' | 'gone' {
  const id = new RegExp(`\\b${STUDIO_COOKIE}=([\\w-]+)`).exec(cookies)?.[1];
  return id === undefined ? 'common' : (running.get(id) ?? 'gone');
}

let common: Promise<Services> | undefined;

// Where the routes keep their services (see `server/services.ts`).
Object.defineProperty(globalThis, Symbol.for('roundtrip-studio.services'), {
  configurable: true,
  get: () => current.getStore() ?? common,
  set: (opened: Promise<Services>) => {
    common = opened;
  },
});
