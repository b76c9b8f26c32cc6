import type { SandboxFetch } from '#lib/tools/capabilities/sandbox.ts';
import type { Studio } from '#studio/studio.ts';
import { personFetch, type RequestQuestion } from '#studio/web/person-web.ts';

/** The `fetch` of a piece of the person's code in a thread. It calls `ask` for a host that is not allowed yet. */
export const personFetchIn = (
  { settings, threads, tools }: Pick<Studio, 'settings' | 'threads' | 'tools'>,
  threadId: string,
  ask: (question: RequestQuestion) => Promise<boolean>,
  abortSignal: AbortSignal,
): SandboxFetch =>
  personFetch({
    threadId,
    ask,
    abortSignal,
    load: () => tools.load(),
    settings: () => settings.getState(),
    thread: () => threads.state.getState().threads.find(({ id }) => id === threadId),
  });
