import type { ThreadStore } from '#lib/threads/thread-store.ts';

const DRAFTS = 'review:';

/** Returns the name of the setting that stores the draft of a call's review: what the user has decided and edited so far. */
export const draftSetting = (toolCallId: string): string => DRAFTS + toolCallId;

/** Deletes the drafts of reviews of calls that have a result: these were answered without a review, or stopped. */
export async function forgetDrafts(store: ThreadStore): Promise<void> {
  for (const toolCallId of (await store.settingsUnder(DRAFTS)).keys())
    if ((await store.get(toolCallId))?.result !== undefined) await store.deleteSetting(draftSetting(toolCallId));
}
