import type { Studio } from './studio.ts';

/** The number of models that are remembered as recently used. */
const RECENT_MAX = 5;

/** Uses a model in the open thread, and as the default of new ones. Remembers it as recently used. */
export async function chooseModel({ threads, settings }: Pick<Studio, 'threads' | 'settings'>, id: string) {
  const { recentModels } = settings.getState();
  const recent = [id, ...recentModels.filter((other) => other !== id)].slice(0, RECENT_MAX);
  await Promise.all([
    threads.changeSettings({ model: id }),
    settings.change({ defaultModel: id, recentModels: recent }),
  ]);
}
