import type { ToolRegistry } from '#lib/tools/registry.ts';

/** How long to wait before the tools are asked for again, in milliseconds. */
const RETRY_MS = 2_000;

let loading: Promise<ToolRegistry> | undefined;

/** The tools, loaded once. Where their code cannot be had, because the server is away, it is asked for until it can. */
export function loadTools(): Promise<ToolRegistry> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ToolRegistry> {
  for (;;) {
    try {
      return (await import('#lib/tools/toolsets.ts')).toolRegistry;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
