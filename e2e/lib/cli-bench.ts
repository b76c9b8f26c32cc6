import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ConfigTrust } from '#hosts/local/trust/config-trust.ts';
import { ownConfigAnswersFile } from '#hosts/local/trust/own-places.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { ScriptedModelServer } from './model-server.ts';
import { modelsFile, SECRET } from './models-file.ts';

/** The end of a program: its exit code and its output. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface StartOptions {
  env?: Readonly<Record<string, string>>;
  /** Standard input, which then ends; by default, there is none. */
  input?: string;
  /** The folder in which it is started; by default, that of the bench. */
  cwd?: string;
}

const CONFIG = '.roundtrip/config.yaml';

/** Trusts the configuration of a folder with this content, as a person with this environment. */
export function trustConfig(folder: string, text: string, env: NodeJS.ProcessEnv): void {
  const root = realpathSync(folder);
  new ConfigTrust(ownConfigAnswersFile(env)).put({ folder: root, path: join(root, CONFIG), text }, true);
}

/** The command line over a temporary folder, with a scripted model. */
export class CliBench {
  readonly model: ScriptedModelServer;
  /** The folder that is worked on. */
  readonly folder: string;
  readonly #place: string;
  /** Whether the model's server ends with it. */
  readonly #isOwn: boolean;

  /** `model`: a server that is already there, and stays. */
  static async start(model?: ScriptedModelServer): Promise<CliBench> {
    return new CliBench(model ?? (await ScriptedModelServer.start()), model === undefined);
  }

  private constructor(model: ScriptedModelServer, isOwn: boolean) {
    this.model = model;
    this.#isOwn = isOwn;
    this.#place = realpathSync(mkdtempSync(join(tmpdir(), 'roundtrip-cli-')));
    this.folder = join(this.#place, 'project');
    mkdirSync(this.folder);
    writeFileSync(join(this.#place, 'models.yaml'), modelsFile(model.url));
  }

  /** Somewhere outside of the folder. */
  get outside(): string {
    return this.#place;
  }

  /** Writes files of the folder. A configuration is trusted. */
  write(files: Readonly<Record<string, string>>): void {
    this.writeOnly(files);
    const config = files[CONFIG];
    if (config !== undefined) trustConfig(this.folder, config, this.environment);
  }

  /** Writes files of the folder, and nothing else. */
  writeOnly(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
  }

  /** A file of the folder as text; undefined if it is not there. */
  read(path: string): string | undefined {
    const place = join(this.folder, path);
    return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
  }

  /** The text files of the folder by path, without those of the program itself. */
  files(): Map<string, string> {
    const found = new Map<string, string>();
    const visit = (path: string) => {
      for (const entry of readdirSync(join(this.folder, path), { withFileTypes: true })) {
        const below = `${path}/${entry.name}`;
        if (below === '/.roundtrip') continue;
        if (entry.isDirectory()) visit(below);
        else if (entry.isFile()) found.set(below, readFileSync(join(this.folder, below), 'utf8'));
      }
    };
    visit('');
    return found;
  }

  /** Starts the program. */
  start(args: readonly string[], { env = {}, input, cwd = this.folder }: StartOptions = {}): ChildProcess {
    const child = spawn(process.execPath, [join(ROOT, 'bin/roundtrip.js'), ...args], {
      cwd,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      env: { ...this.environment, ...env },
    });
    if (input !== undefined) child.stdin?.end(input);
    return child;
  }

  /** Starts the program, whose standard input stays open. */
  open(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, [join(ROOT, 'bin/roundtrip.js'), ...args], {
      cwd: this.folder,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...this.environment, ...env },
    });
  }

  /** The variables that the program gets. */
  get environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      MODELS_FILE: join(this.#place, 'models.yaml'),
      // The developer who runs the tests may have tool servers of their own.
      XDG_CONFIG_HOME: join(this.#place, 'config'),
      XDG_STATE_HOME: join(this.#place, 'state'),
      DISCOVER_LOCAL: 'false',
      DEMO_MODEL: 'false',
      SCRIPTED_KEY: SECRET,
      AGENT_MAX_RETRIES: '0',
      LLM_PROVIDER: '',
    };
  }

  /** Runs the program to its end. */
  run(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
    return ended(this.start(args, options));
  }

  /** The lines of the only session, or of the one with a name. */
  session(name = this.sessions()[0] ?? ''): Record<string, unknown>[] {
    const text = readFileSync(join(this.folder, '.roundtrip/sessions', name), 'utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  /** The names of the sessions, oldest first. */
  sessions(): string[] {
    const folder = join(this.folder, '.roundtrip/sessions');
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .sort();
  }

  async stop(): Promise<void> {
    if (this.#isOwn) await this.model.stop();
    // A program that has just ended may still have written something.
    rmSync(this.#place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Waits for the end of a program. */
export function ended(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (data: Buffer) => {
    stdout += data.toString();
  });
  child.stderr?.on('data', (data: Buffer) => {
    stderr += data.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
