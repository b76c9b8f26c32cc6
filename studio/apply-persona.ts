import type { Persona } from './personas.ts';
import type { Threads } from './threads.ts';

/** Sets up the open thread, or the next new one. What was allowed in a thread before stays allowed. */
export async function applyPersona(
  threads: Threads,
  { systemPrompt, model, toolsets, grants }: Omit<Persona, 'name'>,
): Promise<void> {
  const { selectedId } = threads.state.getState();
  await threads.changeSettings({ systemPrompt, model, toolsets });
  if (selectedId === null) return threads.state.setState({ draftGrants: grants });
  const now = Date.now();
  await threads.update(selectedId, (thread) => ({
    ...thread,
    grants: [...new Set([...thread.grants, ...grants])],
    grantedAt: { ...thread.grantedAt, ...Object.fromEntries(grants.map((name) => [name, now])) },
  }));
}
