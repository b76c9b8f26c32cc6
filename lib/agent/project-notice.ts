import type { Message, Notice, PromptSettings } from '#lib/messages/message.ts';
import type { Catalogue } from '#lib/tools/catalogue/catalogue.ts';

/** Returns the settings of a step that record the instructions in the workspace. */
export function projectSettings({ project }: Pick<Catalogue, 'project'>): Pick<PromptSettings, 'project'> {
  const instructions = project?.instructions ?? [];
  return instructions.length === 0 ? {} : { project: instructions.map(({ path, hash }) => ({ path, hash })) };
}

/** A notice if the workspace's instructions differ from the step before; else none. `messages`: the branch up to this step. */
export function changedInstructions(
  messages: readonly Message[],
  { project }: Pick<PromptSettings, 'project'>,
): Notice[] {
  const steps = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  const before = steps.findLast((part) => part.type === 'step');
  if (before === undefined) return [];
  const [old, now] = [before.settings.project, project].map(
    (files = []) => new Map(files.map(({ path, hash }) => [path, hash])),
  );
  const paths = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])];
  const changed = paths.filter((path) => old?.get(path) !== now?.get(path));
  return changed.length === 0 ? [] : [{ code: 'instructions-changed', paths: changed }];
}
