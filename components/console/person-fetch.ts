import type { SandboxFetch } from '#lib/tools/capabilities/sandbox.ts';
import type { Studio } from '#studio/studio.ts';
import { personFetch, type RequestQuestion } from '#studio/web/person-web.ts';

/**
 * Creates the `fetch` of a piece of the person's code in a thread. Before a request to a host that is not allowed yet, it
 * calls `ask`, which resolves with whether the person allows the request.
 */
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
