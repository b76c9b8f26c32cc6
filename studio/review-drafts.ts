import type { ThreadStore } from '#lib/threads/thread-store.ts';

const DRAFTS = 'review:';

/** The name of the setting with the draft of a call's review. */
export const draftSetting = (toolCallId: string): string => DRAFTS + toolCallId;

/** Deletes the drafts of calls that have a result: they were answered without a review, or stopped. */
export async function forgetDrafts(store: ThreadStore): Promise<void> {
  for (const toolCallId of (await store.settingsUnder(DRAFTS)).keys())
    if ((await store.get(toolCallId))?.result !== undefined) await store.deleteSetting(draftSetting(toolCallId));
}
