import { count } from './en.ts';

/** The reasons why a summary can't be used, as parts of a sentence. */
const refusals: Readonly<Record<string, string>> = {
  'read-in-part': 'its server read only part of the thread',
  calls: 'it called a tool instead',
  empty: 'it was empty',
  'too-long': 'it was too long',
  filtered: 'the provider’s content filter stopped it',
  'no-summary': 'it wasn’t a summary',
  'drops-facts': 'it left out important facts',
  'no-shorter': 'it wasn’t shorter than the messages it replaces',
};

/**
 * The texts in English about summaries of long threads, and about the tokens that each section of a prompt takes. They are
 * loaded with the views that show them.
 */
export const compactionTexts = {
  summarized: 'Earlier messages summarized',
  stubbed: (n: number) => `${count(n, 'outdated result', 'outdated results')} left out`,
  sizes: (before: string, after: string) => `${before} → ${after} tokens`,
  detail: (model: string) =>
    `From here on, the model gets this summary, written by ${model}, instead of the messages above. It still gets your own messages and the latest steps. All messages stay in the thread.`,
  files: 'The full text of long messages is in the workspace, under /.roundtrip/messages.',
  stubsDetail: (n: number) =>
    `${count(n, 'file that was read earlier has', 'files that were read earlier have')} changed or been read again since. The model is told that it can read ${n === 1 ? 'it' : 'them'} again.`,
  leftOut: (n: number) =>
    `The summary doesn’t cover the oldest ${count(n, 'message or step', 'messages and steps')}, which didn’t fit into the context of the model that wrote it. Your own messages are kept.`,
  failed: (reason: 'nothing' | 'refused' | 'failed', model: string, detail: string) => {
    if (reason === 'nothing') return 'There’s nothing to summarize yet.';
    const what =
      reason === 'refused'
        ? `The summary by ${model} couldn’t be used, because ${refusals[detail] ?? detail}.`
        : `${model} couldn’t write a summary: ${detail.replace(/[.\s]*$/, '')}.`;
    return `${what} The oldest messages will be left out when the context is full. Try “Summarize now”, or choose another model for summaries in Settings.`;
  },
  undo: 'Undo',
  redo: 'Use summary again',
  standings: {
    undone:
      'Undone. The model gets the earlier messages again, as many as fit. To summarize them again, use “Summarize now”.',
    'undone-to-earlier': 'Undone. The model gets the summary before this one again.',
    replaced: 'Replaced by a later summary.',
  },
  next: 'Earlier messages will be summarized before the next answer.',
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
    protocol: 'Tool instructions',
    summary: 'Summary',
    history: 'Messages',
    files: 'Files',
    results: 'Latest results',
    free: 'Free',
  },
  estimate: (estimated: string, reported: string) =>
    `Estimated: ${estimated} tokens. Reported by the provider: ${reported}.`,
  onlyEstimate: (estimated: string) => `Estimated: ${estimated} tokens. The provider didn’t report a number.`,
  room: (budget: string, size: string) =>
    `A prompt can use ${budget} of ${size} tokens; the rest is reserved for the answer.`,
  unknownRoom: (budget: string) =>
    `The size of the context window is unknown, so prompts are limited to ${budget} tokens.`,
};
