import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/run.ts';
import type { Services } from '../../server/services.ts';
import { STUDIO_COOKIE } from './studio-cookie.ts';

/** Options for starting a studio's server for one test. */
export interface StudioServerOptions {
  /** The content of `models.yaml`; by default, the models of the scripted server. */
  models?: string;
  /** Environment variables, in addition to those of the server of all tests. */
  env?: Readonly<Record<string, string>>;
}

const running = new Map<string, StudioServer>();
const current = new AsyncLocalStorage<Promise<Services>>();

/**
 * A studio's server for one test. It answers through the same routes and in the same process as the server of all tests, but
 * with services in an environment of its own. A cookie says which server a page uses.
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

  /** Runs `answer`, which answers a request of a page of this server, with this server's services. */
  async answer(response: ServerResponse, answer: () => Promise<void>): Promise<void> {
    this.#responses.add(response);
    response.once('close', () => this.#responses.delete(response));
    await current.run(this.#services, answer);
  }

  /** Stops the server at once, in the middle of its answers. */
  async stop(): Promise<void> {
    running.delete(this.id);
    for (const response of this.#responses) response.destroy();
    await (await this.#services).close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The server for a request with these cookies: a test's own, `common` for that of all tests, or `gone` if it was stopped. */
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
