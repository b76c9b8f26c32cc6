import type { LoadedTools } from '#lib/threads/thread-session.ts';

/** How long to wait before trying to load the tools again, in milliseconds. */
const RETRY_MS = 2_000;

let loading: Promise<LoadedTools> | undefined;

/** The tools, loaded once. If their code cannot be loaded because the server is down, loading is retried. */
export function loadTools(): Promise<LoadedTools> {
  loading ??= load();
  return loading;
}

async function load(): Promise<LoadedTools> {
  for (;;) {
    try {
      const [{ toolRegistry: registry }, { createToolExecutor }] = await Promise.all([
        import('#lib/tools/toolsets.ts'),
        import('#lib/tools/core/executor.ts'),
        // Load their runtimes, too, so that an allowed call still works if the server goes down.
        import('#lib/sandbox/sandbox.ts'),
      ]);
      return { registry, createToolExecutor };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
