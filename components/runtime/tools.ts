import type { LoadedTools } from '#lib/threads/thread-session.ts';

/** How long to wait before the tools are asked for again, in milliseconds. */
const RETRY_MS = 2_000;

let loading: Promise<LoadedTools> | undefined;

/** The tools, loaded once. Where their code cannot be had, because the server is away, it is asked for until it can. */
export function loadTools(): Promise<LoadedTools> {
  loading ??= load();
  return loading;
}

async function load(): Promise<LoadedTools> {
  for (;;) {
    try {
      const [{ toolRegistry: registry }, { createToolExecutor }] = await Promise.all([
        import('#lib/tools/toolsets.ts'),
        import('#lib/tools/executor.ts'),
        // What they run in: a call that is allowed must not find it missing because the server is away just then.
        import('#lib/sandbox/sandbox.ts'),
      ]);
      return { registry, createToolExecutor };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
