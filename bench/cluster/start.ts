import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '#scripts/lib/cluster.ts';
import { startNode } from '#scripts/lib/run.ts';

/** Starts the paced model and a cluster that uses it. `stop`: ends both. */
export async function startPacedCluster(processes: number) {
  const model = startNode('bench/cluster/paced-model.ts', [], { output: 'pipe', endsWithParent: true });
  const [port] = (await once(model.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const folder = mkdtempSync(join(tmpdir(), 'roundtrip-bench-'));
  const file = join(folder, 'models.yaml');
  const baseURL = `http://127.0.0.1:${port.toString().trim()}/v1`;
  writeFileSync(
    file,
    `models:\n  - { id: paced, provider: local, model: paced, baseURL: "${baseURL}", contextSize: 128000 }\n`,
  );
  const cluster = await startCluster({
    processes,
    env: { MODELS_FILE: file, DISCOVER_LOCAL: 'false', AGENT_MAX_RETRIES: '0', LOG_LEVEL: 'warn', DRAIN_SECONDS: '5' },
  });
  return {
    cluster,
    async stop() {
      await cluster.stop();
      model.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
