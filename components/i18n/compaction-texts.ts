import { count } from './en.ts';

/** Why a summary can't be used, as a part of a sentence. */
const refusals: Readonly<Record<string, string>> = {
  'read-in-part': 'its server read only a part of the conversation',
  calls: 'it called a tool instead',
  empty: 'it was empty',
  'too-long': 'it was too long',
  filtered: 'the provider’s content filter stopped it',
  'no-summary': 'it wasn’t a summary',
  'drops-facts': 'it dropped facts',
  'no-shorter': 'it didn’t make the conversation shorter',
};

/** The texts about summaries of long threads, and about where the context goes, in English. They come with the views. */
export const compactionTexts = {
  summarized: 'Earlier messages summarized',
  stubbed: (n: number) => `${count(n, 'outdated result', 'outdated results')} left out`,
  sizes: (before: string, after: string) => `${before} → ${after} tokens`,
  detail: (model: string) =>
    `From here on, the model gets this summary by ${model} instead of the messages above, together with your own messages and the latest steps. The messages themselves stay in the thread.`,
  files: 'Long messages are in the workspace as a whole, under /.roundtrip/messages.',
  stubsDetail: (n: number) =>
    `${count(n, 'file that was read earlier has', 'files that were read earlier have')} changed or been read again since. The model is told that it can read them again.`,
  leftOut: (n: number) =>
    `The summary doesn’t cover the oldest ${count(n, 'message or step', 'messages and steps')}, which didn’t fit into the context of the model that wrote it. Your own words are kept.`,
  failed: (reason: 'nothing' | 'refused' | 'failed', model: string, detail: string) => {
    if (reason === 'nothing') return 'There is nothing to summarize yet.';
    const what =
      reason === 'refused'
        ? `The summary by ${model} couldn’t be used, because ${refusals[detail] ?? detail}.`
        : `${model} couldn’t write a summary: ${detail.replace(/[.\s]*$/, '')}.`;
    return `${what} The oldest messages are left out when space runs out. Try “Compact now”, or choose another model for summaries in Settings.`;
  },
  undo: 'Undo',
  redo: 'Use summary again',
  standings: {
    undone:
      'Undone. The model gets the earlier messages again, as far as they fit. To summarize them again, use “Compact now”.',
    'undone-to-earlier': 'Undone. The model gets the summary before this one again.',
    replaced: 'Replaced by a later summary.',
  },
  next: 'The conversation will be summarized before the next answer.',
  cancel: 'Cancel',
  turnOff: (toolset: string, tokens: string) => `Turn off ${toolset} (${tokens} tokens)`,
  turnedOff: (toolset: string) => `${toolset} turned off`,
  before: 'Before',
  after: 'After',
  context: 'Context',
  sections: {
    system: 'System prompt',
    project: 'Project',
    tools: 'Tools',
    protocol: 'Instructions for tools',
    summary: 'Summary',
    history: 'Messages',
    files: 'Files',
    results: 'Latest results',
    free: 'Free',
  },
  estimate: (estimated: string, reported: string) =>
    `Estimated: ${estimated} tokens. Reported by the provider: ${reported}.`,
  onlyEstimate: (estimated: string) => `Estimated: ${estimated} tokens. The provider didn’t report any.`,
  room: (budget: string, size: string) =>
    `A prompt can use ${budget} of ${size} tokens; the rest is reserved for the answer.`,
  unknownRoom: (budget: string) => `A prompt can use ${budget} tokens, because the size of the context is unknown.`,
};
