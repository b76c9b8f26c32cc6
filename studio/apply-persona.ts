import type { Persona } from './personas.ts';
import type { Threads } from './threads.ts';

/**
 * Applies a persona, a saved choice of system prompt, model, toolsets, and grants (tools that run without asking), to the open
 * thread or, if none is open, to the next new one. An open thread keeps the grants that it already has; a new one gets only the
 * persona's.
 */
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
