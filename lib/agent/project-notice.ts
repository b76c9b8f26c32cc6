import type { Message, Notice, PromptSettings } from '#lib/messages/message.ts';
import type { Catalogue } from '#lib/tools/catalogue/catalogue.ts';

/**
 * Returns the setting in which a step records the paths and hashes of the workspace's instructions; no settings if there are
 * none.
 */
export function projectSettings({ project }: Pick<Catalogue, 'project'>): Pick<PromptSettings, 'project'> {
  const instructions = project?.instructions ?? [];
  return instructions.length === 0 ? {} : { project: instructions.map(({ path, hash }) => ({ path, hash })) };
}

/**
 * Returns a notice that names the changed files if the workspace's instructions for the model differ from those of the step
 * before; no notice otherwise, or if there is no step before. `messages`: the branch up to this step.
 */
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
