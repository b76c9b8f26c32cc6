import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type StudioServer, startServer } from '#scripts/lib/server.ts';
import { ScriptedModelServer } from './model-server.ts';
import { modelsFile, SECRET } from './models-file.ts';

/** The folder of an installed release that is tested instead of the studio of this checkout; undefined if none is. */
const RELEASE = process.env.TESTED_RELEASE;

/** A studio on a free port with a scripted model, and its checkpoint folder. */
export class TestBench {
  readonly model: ScriptedModelServer;
  /** The folder in which its checkpoints are stored. */
  readonly folder: string;
  readonly #port: number;
  readonly #root: string | undefined;
  #env: Record<string, string> = {};
  #server: StudioServer | undefined;

  /** `root`: where the studio is, if it is another checkout of it. */
  static async start(env: Record<string, string> = {}, root?: string): Promise<TestBench> {
    const bench = new TestBench(await ScriptedModelServer.start(), await freePort(), root);
    await bench.startStudio(env);
    return bench;
  }

  private constructor(model: ScriptedModelServer, port: number, root: string | undefined) {
    this.model = model;
    this.#port = port;
    this.#root = root;
    this.folder = mkdtempSync(join(tmpdir(), 'roundtrip-'));
    writeFileSync(join(this.folder, 'models.yaml'), modelsFile(model.url));
  }

  get url(): string {
    return `http://localhost:${this.#port}`;
  }

  /** The output of the studio's server since its last start. */
  log(): string {
    return this.#server?.log() ?? '';
  }

  async startStudio(env: Record<string, string> = this.#env): Promise<void> {
    this.#env = env;
    this.#server = await startServer({
      port: this.#port,
      ...(this.#root !== undefined && { root: this.#root }),
      ...(RELEASE !== undefined && { root: RELEASE, script: 'server/server.js' }),
      env: {
        MODELS_FILE: join(this.folder, 'models.yaml'),
        DATABASE_URL: `sqlite:${join(this.folder, 'checkpoints.db')}`,
        DISCOVER_LOCAL: 'false',
        SCRIPTED_KEY: SECRET,
        LOG_LEVEL: 'debug',
        AGENT_MAX_RETRIES: '0',
        ...env,
      },
    });
  }

  async stopStudio(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#server?.stop(signal);
  }

  async restartStudio(env?: Record<string, string>): Promise<void> {
    await this.stopStudio('SIGKILL');
    await this.startStudio(env);
  }

  /** Removes the checkpoints; the server must be stopped. */
  forgetCheckpoints(): void {
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(this.folder, `checkpoints.db${suffix}`), { force: true });
  }

  async stop(): Promise<void> {
    await this.stopStudio();
    await this.model.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
