import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cable } from '#e2e/lib/cable.ts';
import { startCluster } from '#scripts/lib/cluster.ts';
import { startNode } from '#scripts/lib/run.ts';

/** Debian's library that gives a process another clock: apt install faketime. */
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

const AN_HOUR_OFF = { LD_PRELOAD: FAKETIME, FAKETIME: '+1h', FAKETIME_DONT_FAKE_MONOTONIC: '1' };

/**
 * Starts the paced model. `folder`: a folder for files. `env`: the variables of a studio that uses it. `stop`:
 * ends it, and deletes the folder.
 */
export async function startPacedModel() {
  const model = startNode('bench/cluster/paced-model.ts', [], { output: 'pipe', endsWithParent: true });
  const [port] = (await once(model.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const folder = mkdtempSync(join(tmpdir(), 'roundtrip-bench-'));
  const file = join(folder, 'models.yaml');
  const baseURL = `http://127.0.0.1:${port.toString().trim()}/v1`;
  writeFileSync(
    file,
    `models:\n  - { id: paced, provider: local, model: paced, baseURL: "${baseURL}", contextSize: 128000 }\n`,
  );
  return {
    baseURL,
    folder,
    env: { MODELS_FILE: file, DISCOVER_LOCAL: 'false', AGENT_MAX_RETRIES: '0', LOG_LEVEL: 'warn' },
    stop() {
      model.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the paced model, and a cluster that uses it by way of cables. `stop`: ends all of it. */
export async function startPacedCluster(processes: number) {
  const model = await startPacedModel();
  try {
    return await startClusterWith(model, processes);
  } catch (error) {
    model.stop();
    throw error;
  }
}

async function startClusterWith(model: Awaited<ReturnType<typeof startPacedModel>>, processes: number) {
  const cables: Cable[] = [];
  const hasFaketime = existsSync(FAKETIME);
  const cluster = await startCluster({
    processes,
    envOf: (index) => (index === processes - 1 && hasFaketime ? AN_HOUR_OFF : {}),
    async via(url) {
      const cable = await Cable.between(url);
      cables.push(cable);
      const way = new URL(url);
      way.host = `localhost:${new URL(cable.url).port}`;
      return way.href;
    },
    env: { ...model.env, DRAIN_SECONDS: '5' },
  });
  const [postgres, redis] = cables;
  if (postgres === undefined || redis === undefined) throw new Error('The cluster uses fewer than two servers.');
  return {
    cluster,
    /** Whether the clock of the last process is an hour off: only where the library for that is installed. */
    isClockOff: hasFaketime,
    /** The ways from the processes to their servers, which can be cut. */
    cables: { postgres, redis },
    async stop() {
      await cluster.stop();
      for (const cable of cables) await cable.stop();
      model.stop();
    },
  };
}
