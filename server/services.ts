import { hostname } from 'node:os';
import { type Environment, readServerEnv, type ServerEnv } from '#config/env.ts';
import { disableTracing } from '#config/tracing.ts';
import { createLog, type Log } from '#log/log.ts';
import { outsideRequests } from '#log/request-id.ts';
import { PersonalModels } from '#models/personal.ts';
import { ModelRegistry } from '#models/registry.ts';
import { ServedWindows } from '#models/served-windows.ts';
import { TokenScales } from '#models/token-scales.ts';
import type { Checkpointer } from './graph/checkpointer/checkpointer.ts';
import { openCheckpointer } from './graph/checkpointer/checkpointers.ts';
import { createGraph } from './graph/graph.ts';
import { Catalogues } from './http/catalogues.ts';
import { SentTexts } from './http/sent-texts.ts';
import { RequestRelay } from './mcp/relay.ts';
import { StudioServers } from './mcp/studio-servers.ts';
import { setEndable } from './runs/drain.ts';
import { observerOf, type RunObserver } from './runs/run-observer.ts';
import { RunRegistry } from './runs/run-registry.ts';
import type { Runs } from './runs/runs.ts';

/** Everything that the routes need. */
export interface Services {
  env: ServerEnv;
  log: Log;
  models: ModelRegistry;
  /** Models of people's own connections. */
  personal: PersonalModels;
  /** Passes pages' requests on to the web, tool servers, and HTTP APIs. */
  relay: RequestRelay;
  /** The operator's tool servers. */
  toolServers: StudioServers;
  /** The context windows that model servers say they serve, by model. */
  windows: ServedWindows;
  /** The ratios of the tokens that models' servers counted to the studio's estimates, by model. */
  scales: TokenScales;
  graph: ReturnType<typeof createGraph>;
  runs: Runs;
  /** Long texts that browsers have sent once, and that their requests then name by hash. */
  contents: SentTexts;
  /** Catalogues of tools that browsers have sent. */
  catalogues: Catalogues;
  checkpointer: Checkpointer;
  /** Records metrics and traces of runs, if the operator has configured any. */
  observer: RunObserver;
  /** Leaves runs to other processes, ends the programs of tool servers, and closes the database. */
  close(): Promise<void>;
}

/** The name of this process in the log: host, process id, and the time of its start. */
const INSTANCE = `${hostname()}-${process.pid}-${Math.round(Date.now() - process.uptime() * 1_000).toString(36)}`;

const PRUNE_EVERY_MS = 3_600_000;
const EVICT_EVERY_MS = 60_000;

const KEY = Symbol.for('roundtrip-studio.services');
const holder = globalThis as typeof globalThis & { [KEY]?: Promise<Services> };

/**
 * Resolves with the services of this process, which the first call opens. Routes are bundled separately, so they share them
 * through `globalThis`. Rejects like `openServices`; the next call then tries again.
 */
export function services(): Promise<Services> {
  holder[KEY] ??= outsideRequests(openOfProcess).catch((error: unknown) => {
    // Let the next request try again: a database may still be starting.
    delete holder[KEY];
    throw error;
  });
  return holder[KEY];
}

async function openOfProcess(): Promise<Services> {
  if (!readServerEnv(process.env).AGENT_TRACING) disableTracing(process.env);
  const opened = await openServices(process.env);
  const { log, runs, toolServers, observer } = opened;
  setEndable({ log, drain: () => runs.drain(), close: opened.close });
  // Next.js ends the process when it is asked to, unless `endWhenAsked` does. Programs then end first, with time to do so.
  if (process.env.NEXT_MANUAL_SIG_HANDLE !== undefined) return opened;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void Promise.allSettled([toolServers.close(), observer.close?.()]));
  return opened;
}

/**
 * Opens all services, with the variables of `environment` as their configuration. From then on, old checkpoints and runs are
 * removed regularly. Rejects with `ConfigError` for invalid variables, and with the database's error if the database cannot be
 * reached.
 */
export async function openServices(environment: Environment): Promise<Services> {
  const env = readServerEnv(environment);
  const log = createLog(env.LOG_LEVEL).child({ instance: INSTANCE });
  // Its code is loaded only if it is needed.
  const shared =
    env.SHARED_URL === 'memory:'
      ? undefined
      : await (await import('./shared/shared.ts')).openShared(env, INSTANCE, log);
  const checkpointer = shared?.checkpointer ?? (await openCheckpointer(env.DATABASE_URL));
  const graph = createGraph(checkpointer);
  const observer = observerOf(await openObservers(env, log));
  const limits = { retentionMs: env.RUN_RETENTION_MINUTES * 60_000, maxBytes: env.RUNS_MAX_BYTES };
  const ownRuns = new RunRegistry(graph, limits, observer);
  const evicting = setInterval(() => ownRuns.evict(), EVICT_EVERY_MS).unref();
  const runs =
    shared === undefined
      ? ownRuns
      : new (await import('./shared/shared-runs.ts')).SharedRuns({ ...shared, local: ownRuns, log });
  const prune = () => {
    checkpointer.pruneIdle(Date.now() - env.CHECKPOINT_RETENTION_HOURS * 3_600_000).then(
      (threads) => log.debug({ threads }, 'idle checkpoints pruned'),
      (error: unknown) => log.warn({ error: String(error) }, 'pruning checkpoints failed'),
    );
  };
  prune();
  const pruning = setInterval(prune, PRUNE_EVERY_MS).unref();
  const windows = new ServedWindows();
  const toolServers = new StudioServers({ path: env.MCP_FILE, env: environment, log });
  return {
    env,
    log,
    models: new ModelRegistry(environment, env, windows, shared?.refusals),
    windows,
    scales: new TokenScales(),
    personal: new PersonalModels(env),
    relay: new RequestRelay(env, undefined, shared?.relayed),
    toolServers,
    graph,
    runs,
    contents: new SentTexts(env.CONTENTS_MAX_BYTES, shared?.texts),
    catalogues: new Catalogues(shared?.texts),
    checkpointer,
    observer,
    async close() {
      clearInterval(evicting);
      clearInterval(pruning);
      await Promise.allSettled([runs.close(), toolServers.close()]);
      await Promise.allSettled([observer.close?.(), checkpointer.close()]);
    },
  };
}

/** Opens what watches runs: metrics and traces. The code of each is loaded only if it is needed. */
async function openObservers(env: ServerEnv, log: Log): Promise<RunObserver[]> {
  const observers: RunObserver[] = [];
  if (env.METRICS_PORT !== undefined) {
    const { Metrics, serveMetrics } = await import('./telemetry/metrics.ts');
    const metrics = new Metrics();
    serveMetrics(metrics, { port: env.METRICS_PORT, host: env.METRICS_HOST }, log);
    observers.push(metrics);
  }
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    const { tracesTo } = await import('./telemetry/traces.ts');
    observers.push(tracesTo(env.OTEL_EXPORTER_OTLP_ENDPOINT, { instance: INSTANCE, log }));
  }
  return observers;
}
