const plural = new Intl.PluralRules('en');
/** Returns a number in English and the noun for it, in the singular or the plural: `1 file`, `1,000 files`. */
export const count = (n: number, one: string, other: string): string =>
  `${n.toLocaleString('en')} ${plural.select(n) === 'one' ? one : other}`;

/**
 * Returns up to seven names as they are; of more names, the first six, and the text that `more` returns for the number of
 * those that are left out.
 */
export const shortened = (names: readonly string[], more: (n: number) => string): string[] =>
  names.length <= 7 ? [...names] : [...names.slice(0, 6), more(names.length - 6)];

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a number of bytes for people, in powers of a thousand up to gigabytes, such as `1.5 MB`. */
export function formatBytes(bytes: number, locale: string): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unitDisplay = power === 0 ? 'long' : 'short';
  const format = { style: 'unit', unit: UNITS[power], unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(bytes / 1_000 ** power);
}

/** A first message that an empty thread offers. */
interface Suggestion {
  kind: 'page' | 'compute' | 'change' | 'look';
  title: string;
  prompt: string;
}

/**
 * The texts in English that are loaded with the page. The texts of views that are loaded later are in other files, such as
 * `later-texts.ts`. The compiler checks that each other language has the same texts (see `Catalog`).
 */
export const en = {
  locale: 'en',
  studio: {
    name: 'Roundtrip Studio',
    opening: 'Opening the studio…',
    skipToComposer: 'Skip to the message box',
  },
  common: {
    close: 'Close',
    cancel: 'Cancel',
    save: 'Save',
    undo: 'Undo',
    retry: 'Retry',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Couldn’t copy',
    copyDetails: 'Copy details',
    rename: 'Rename',
    delete: 'Delete',
    loading: 'Loading…',
    reload: 'Reload page',
  },
  start: {
    failedTitle: 'The studio can’t start',
    failed: 'Something in this browser blocks the studio. Reload the page. If that doesn’t help, see the details.',
    crashTitle: 'Something went wrong',
    crashHere: 'This part of the studio stopped working. The rest still works. Nothing is lost.',
    tryAgain: 'Try again',
    isOutdated: 'The studio has been updated. Reload the page to continue. You won’t lose anything.',
  },
  panes: {
    threads: 'Threads',
    chat: 'Chat',
    files: 'Files',
    editor: 'Editor',
    console: 'Console',
    preview: 'Preview',
    beside: 'Editor, preview, or console',
    workspace: 'Workspace',
    resizeThreads: 'Resize the thread list',
    resizeWorkspace: 'Resize the workspace',
    resizeFiles: 'Resize the file tree',
    search: 'Search everything',
    showThreads: 'Show threads',
    hideThreads: 'Hide threads',
    showTree: 'Show the file tree',
    hideTree: 'Hide the file tree',
  },
  threads: {
    newThread: 'New thread',
    search: 'Search threads',
    noThreads: 'No threads yet.',
    untitled: 'New thread',
    today: 'Today',
    yesterday: 'Yesterday',
    earlier: 'Earlier',
    options: (title: string) => `Options for ${title}`,
    titleLabel: 'Title',
    listMenu: 'Thread list menu',
    pinned: 'Pinned',
    archived: 'Archived',
    temporary: 'Temporary',
    temporaryHelp: 'Closing or reloading the page deletes this thread and its files.',
    activity: { working: 'Answering', asking: 'Waiting for you' },
  },
  chat: {
    scrollDown: 'Scroll to the latest message',
  },
  composer: {
    label: 'Message',
    placeholder: 'Ask for something…',
    send: 'Send',
    stop: 'Stop',
    attach: 'Attach files',
    removeAttachment: (name: string) => `Remove ${name}`,
    noVision: (model: string) => `${model} can’t see images.`,
    hint: 'Enter to send, Shift+Enter for a new line',
    heldBack: 'Your edited message wasn’t sent. It’s in the message box.',
    unsent: 'Your message wasn’t sent. It’s back in the message box.',
  },
  controls: {
    model: 'Model',
    refreshModels: 'Refresh models',
    noModels: 'No models found',
    demoModel: 'Demo (scripted, not an AI)',
    modelGone: (name: string) => `Not available: ${name}`,
    modelSettings: 'Model settings…',
    toolsets: 'Tools',
    toolsOn: (names: readonly string[]) => `Tools: ${names.join(', ') || 'off'}`,
    listed: (names: readonly string[]) => names.join(', '),
    noTools: 'Tools off',
    reviewsOn: 'Reviewing changes',
    toolsetNames: { browser: 'Browser', files: 'Files', web: 'Web', project: 'Project tools' } as Record<
      string,
      string
    >,
    threadOptions: 'Thread options',
    compactNow: 'Summarize now',
    systemPrompt: 'System prompt…',
  },
  empty: {
    lead: 'Ask for anything. The model runs code and edits files right here in your browser.',
    suggestions: [
      { kind: 'page', title: 'Build a page', prompt: 'Build a page that mixes a color with three sliders' },
      { kind: 'compute', title: 'Compute', prompt: 'Sum of the primes below 1000' },
      { kind: 'change', title: 'Change a file', prompt: 'Look in src and change the title in App.tsx' },
      { kind: 'look', title: 'Look around', prompt: 'What is in this workspace?' },
    ] as Suggestion[],
    withExampleFiles: (title: string) => `${title} (adds a small example project first)`,
    onlyDemo: 'Only the demo is available. It’s scripted and plays these examples. Connect a real model:',
    noModel: 'No model is set up yet. Connect one:',
    noneSelected: 'No models are selected. Select one under “Settings › Models”.',
    localTitle: 'Use a model on this computer',
    local: 'Start Ollama, LM Studio, llama.cpp, or vLLM. The studio finds it. Any other address works, too.',
    keyTitle: 'Use a provider’s API key',
    key: 'Paste your key for OpenAI, Anthropic, Google, or another provider. It’s stored only in this browser.',
    connect: 'Connect a model…',
    lookAgain: 'Check again',
    problems: 'Some models couldn’t be reached:',
  },
  errors: {
    title: 'The answer couldn’t be completed',
    chooseModel: 'Choose another model',
    openSettings: 'Open settings',
    freeSpace: 'Free up space…',
    notStored: 'Couldn’t save',
    notOpened: 'Couldn’t open this thread',
    codes: {
      'server-unreachable': 'The studio’s server isn’t responding. Check that it’s running, then retry.',
      files: 'Something went wrong with this thread’s files. Nothing was lost. Try again.',
      'no-such-thread': 'This thread isn’t in this browser. It was deleted, or it’s in another browser.',
      'storage-full': 'This browser’s storage is full. Delete old threads to free up space, then retry.',
      'storage-unavailable':
        'The browser closed this page’s storage. The studio may have been updated, or the disk is full. Reload the page.',
      'storage-failed': 'This browser’s storage failed. Reload the page. If it happens again, save a backup.',
    } as Record<string, string>,
    unknown: 'Something unexpected happened. Retry. If it happens again, tell the studio’s operator the details.',
  },
  workspaces: {
    unnamed: 'New workspace',
    options: (name: string) => `Workspace: ${name}`,
    choice: 'Files for the new thread',
    own: 'Empty workspace',
  },
  settings: {
    open: 'Settings',
    saveBackup: 'Save a backup',
  },
};
