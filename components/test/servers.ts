import { commands } from 'vitest/browser';
import type { ServerKind, Servers } from './server-kinds.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    startServer(kind: ServerKind, args: readonly unknown[]): Promise<string>;
    getOfServer(id: string, name: string): Promise<unknown>;
    setOfServer(id: string, name: string, value: unknown): Promise<void>;
    callServer(id: string, name: string, args: readonly unknown[]): Promise<unknown>;
    stopServer(id: string): Promise<void>;
  }
}

type Args<T> = T extends (...args: infer A) => unknown ? A : never;
type Result<T> = T extends (...args: never[]) => infer R ? Awaited<R> : never;

/** A handle for a server in the process that controls the browser, by which a test uses its members. Values travel as JSON. */
export interface RemoteServer<T> extends AsyncDisposable {
  get<K extends string & keyof T>(name: K): Promise<T[K]>;
  set<K extends string & keyof T>(name: K, value: T[K]): Promise<void>;
  call<K extends string & keyof T>(name: K, ...args: Args<T[K]>): Promise<Result<T[K]>>;
  stop(): Promise<void>;
}

/** Starts a server for a test. The test must stop it, such as by `await using`; its page may still be open then. */
export async function startServer<K extends ServerKind>(
  kind: K,
  ...args: Parameters<Servers[K]>
): Promise<RemoteServer<Awaited<ReturnType<Servers[K]>>>> {
  type Server = Awaited<ReturnType<Servers[K]>>;
  const id = await commands.startServer(kind, args);
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await commands.stopServer(id);
  };
  return {
    get: async (name) => (await commands.getOfServer(id, name)) as Server[typeof name],
    set: (name, value) => commands.setOfServer(id, name, value),
    call: async (name, ...values) => (await commands.callServer(id, name, values)) as Result<Server[typeof name]>,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
