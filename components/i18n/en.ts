// More than 400 lines: all texts of the page in one language, so that a translator finds them in one place.
import type { CallOrigin } from '#lib/tools/core/call-origin.ts';
import type { ToolVerb } from '#lib/tools/core/presentation.ts';
import type { ToolEffect } from '#lib/tools/core/spec.ts';

const plural = new Intl.PluralRules('en');
/** A number and what it counts. */
export const count = (n: number, one: string, other: string): string =>
  `${n.toLocaleString('en')} ${plural.select(n) === 'one' ? one : other}`;

/** The first of many names, and how many more there are. */
export const shortened = (names: readonly string[], more: (n: number) => string): string[] =>
  names.length <= 7 ? [...names] : [...names.slice(0, 6), more(names.length - 6)];

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size as people write it, in powers of a thousand. */
export function formatBytes(bytes: number, locale: string): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unitDisplay = power === 0 ? 'long' : 'short';
  const format = { style: 'unit', unit: UNITS[power], unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(bytes / 1_000 ** power);
}

/** Every text of the studio. The other catalogs have the same shape, which the compiler checks. */
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
    copyDetails: 'Copy details',
    rename: 'Rename',
    delete: 'Delete',
    loading: 'Loading…',
    reload: 'Reload page',
  },
  start: {
    noStorageTitle: 'This browser doesn’t let the studio store anything',
    noStorage:
      'The studio keeps threads and files in this browser’s database (IndexedDB), which can’t be opened. This usually happens in private windows or when site data is blocked. You can continue, but you’ll lose everything when you close or reload this tab, so save a backup first. To keep your work, allow site data for this address or open the studio in a regular window.',
    insecureTitle: 'Open the studio over HTTPS or on localhost',
    insecure:
      'This page was opened over plain HTTP from another computer. Browsers then turn off features that the studio needs to coordinate its tabs. Open http://localhost on the computer that runs the studio, or put an HTTPS proxy in front of it.',
    failedTitle: 'The studio can’t start',
    failed:
      'Something in this browser is blocking the studio. Reload the page. If that doesn’t help, the details below say what’s wrong.',
    crashTitle: 'Something went wrong',
    crashHere: 'This part of the studio stopped working. The rest still works, and everything that was saved is safe.',
    tryAgain: 'Try again',
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
  },
  console: {
    log: 'Console output',
    prompt: 'Run JavaScript in this thread’s sandbox',
    run: 'Run',
    stop: 'Stop',
    copy: 'Copy all',
    clear: 'Clear console',
    reset: 'Reset session',
    empty: 'Nothing has run in this thread’s sandbox since you opened this page.',
    began: 'New session started.',
    by: { model: 'Model', person: 'You' },
    refused: (target: string, directive: string, line: number | undefined) =>
      `Blocked: ${target} (${directive}${line === undefined ? '' : `, line ${line}`})`,
  },
  threads: {
    newThread: 'New thread',
    search: 'Search threads',
    noThreads: 'No threads yet.',
    noMatches: 'No matching threads.',
    untitled: 'New thread',
    today: 'Today',
    yesterday: 'Yesterday',
    earlier: 'Earlier',
    options: (title: string) => `Options for ${title}`,
    renameTitle: 'Rename thread',
    titleLabel: 'Title',
    deleted: (title: string) => `Deleted “${title}”.`,
    deleteTitle: (title: string) => `Delete “${title}”?`,
    deleteDetail: (files: number) =>
      `Its workspace has ${count(files, 'file', 'files')} that no other thread uses. You can keep the files for other threads, or delete them along with their history.`,
    keepFiles: 'Delete thread only',
    deleteFiles: 'Delete thread and files',
    activity: { working: 'Answering', asking: 'Waiting for you' },
  },
  messages: {
    you: 'You',
    assistant: 'Assistant',
    edit: 'Edit',
    editLabel: 'Edit message',
    sendEdit: 'Send',
    regenerate: 'Regenerate',
    regenerateWith: 'Try again with another model',
    tryNow: 'Try now',
    useOtherModel: 'Use another model',
    restoreFiles: 'Restore files to here',
    inspect: 'View prompt',
    previousBranch: 'Previous version',
    nextBranch: 'Next version',
    branch: (n: number, of: number) => `Version ${n} of ${of}`,
    showAll: (characters: string) => `Show all ${characters} characters`,
    stopped: 'Stopped.',
    resume: 'Continue',
    thinking: 'Thinking…',
    thought: (seconds: number) => `Thought for ${seconds < 1 ? 'less than a second' : `${Math.round(seconds)} s`}`,
    waitingForModel: 'Waiting for the model…',
    reconnecting: 'The studio’s server isn’t responding. Reconnecting…',
    retrying: (seconds: number, isRateLimit: boolean) =>
      `${isRateLimit ? 'Rate limit reached.' : 'The model’s server returned an error.'} Retrying in ${seconds} s…`,
    scrollDown: 'Scroll to the latest message',
    queued: 'Queued until the current answer is done',
    notSentYet: 'Not sent because the previous answer didn’t finish',
    sendNow: 'Send now',
    takeBack: 'Don’t send',
    tokens: (input: string, output: string) => `${input} in, ${output} out`,
    image: (name: string) => `Image ${name}`,
    attachment: (name: string) => `Attached file ${name}`,
  },
  notices: {
    repeatedCalls: (tool: string) =>
      `The model kept making the same call (${tool}) with the same result, so it was asked to answer.`,
    stepLimit: (steps: number) =>
      `The model stopped after ${count(steps, 'step', 'steps')}, the limit for one answer. Send a message to continue.`,
    historyTrimmed: (n: number) =>
      `The model’s context is full: ${count(n, 'older part of this thread was', 'older parts of this thread were')} left out.`,
    resultCut: (tool: string, kept: string, total: string) =>
      `The result of ${tool} was too long, so the model got only the first ${kept} of ${total} characters.`,
    toolsLeftOut: (tokens: string, tools: readonly string[]) =>
      `Only the main tools fit into this model’s context of ${tokens} tokens. Left out: ${new Intl.ListFormat('en').format(shortened(tools, (n) => `${n} more`))}. To make room for them, turn off other tools under “Tools”, or give the model a larger context.`,
    toolsRefused: (model: string) =>
      `${model} doesn’t support native tool calling, so its tools are now described in the prompt.`,
    callsInText: (model: string, isGivenUp: boolean) =>
      isGivenUp
        ? `${model} keeps writing its tool calls as plain text, so its tools are now described in the prompt. You can switch back under “Tool calling”.`
        : `${model} wrote its tool calls as plain text, and the studio recognized them.`,
    proseOnly: (model: string, answers: string, toolCalling: 'native' | 'prompted') =>
      `${model} has answered ${answers} questions about files without calling a tool, so it may have made the answers up. ${
        toolCalling === 'native' ? 'Set “Tool calling” to Prompted, or choose' : 'Choose'
      } a larger model or one trained for tools.`,
    callPostponed: (tool: string) =>
      `The model called ${tool} before it had seen an earlier result, so that call didn’t run. The model was shown the result first.`,
    callUnreadable: (tool: string, askedAgain: boolean) =>
      askedAgain
        ? `A call to ${tool} couldn’t be read, so it didn’t run. The model was shown the correct format and asked to try again.`
        : `A call to ${tool} couldn’t be read, so it didn’t run. Retry, or switch the tool calling mode or the model.`,
    length: 'The answer was cut off at the model’s length limit.',
    contentFilter: 'The provider’s content filter stopped the answer.',
    unknownContext: (model: string) =>
      `The context size of ${model} is unknown, so the studio assumes 8,000 tokens. Set contextSize in models.yaml to use more.`,
  },
  composer: {
    label: 'Message',
    placeholder: 'Ask for something…',
    send: 'Send',
    stop: 'Stop',
    attach: 'Attach files',
    removeAttachment: (name: string) => `Remove ${name}`,
    tooLarge: (name: string, limit: string) =>
      `${name} is larger than ${limit}. Attach a smaller file, or add it to the workspace.`,
    notText: (name: string) => `${name} is neither an image nor text, so the model can’t read it.`,
    noVision: (model: string) => `${model} can’t see images.`,
    hint: 'Enter to send, Shift+Enter for a new line',
    heldBack: 'Your edited message wasn’t sent. It’s in the message box.',
    unsent: 'Your message wasn’t sent. It’s back in the message box.',
  },
  controls: {
    model: 'Model',
    refreshModels: 'Refresh models',
    noModels: 'No models found',
    modelGone: (id: string) => `${id} (not available)`,
    toolCalling: 'Tool calling',
    toolCallingAuto: (effective: string) => `Auto (${effective})`,
    toolCallingModes: { auto: 'Auto', native: 'Native', prompted: 'Prompted' },
    toolCallingHelp: {
      auto: 'Native if the model supports it, otherwise prompted',
      native: 'The provider’s own tool calling',
      prompted: 'Describes the tools in the prompt and reads calls from the model’s text',
    },
    toolsRefused: 'Native tools don’t work with this model, so the studio uses the prompt instead',
    retryNative: 'Auto, and try native tools again',
    retryNativeHelp: 'Clears the rejection and asks the endpoint again',
    toolsets: 'Tools',
    toolsetNames: { browser: 'Browser', files: 'Files' } as Record<string, string>,
    threadOptions: 'Thread options',
    parameters: 'Model parameters…',
    systemPrompt: 'System prompt',
    systemPromptHelp: 'Instructions for the model in this thread.',
    useDefault: 'Use default',
    contextUsed: (sent: string, budget: string) => `${sent} of ${budget} tokens sent`,
    contextLeftOut: (tokens: string) => `, ${tokens} left out`,
    contextDetail: (budget: string, size: string) =>
      `The last prompt. A prompt can use ${budget} of this model’s ${size} tokens; the rest is reserved for the answer.`,
    contextUsedLabel: 'Context used',
  },
  empty: {
    lead: 'Ask for anything. The model runs code and edits files right here in your browser.',
    suggestions: [
      { title: 'Compute', prompt: 'Sum of the primes below 1000', needsFiles: false },
      { title: 'Write a file', prompt: 'Create a simple React component Button.tsx', needsFiles: false },
      { title: 'Change a file', prompt: 'Look in src and change the title in App.tsx', needsFiles: true },
    ],
    withExampleFiles: (title: string) => `${title} (adds a small example project to the workspace first)`,
    onlyDemo:
      'Only the demo is available. It’s scripted and plays these three examples. To chat with a real model, connect one:',
    noModel: 'No model is set up yet. Connect one:',
    localTitle: 'Use a model on this computer',
    local:
      'Start Ollama, LM Studio, llama.cpp, or vLLM. The studio finds it automatically, or connects to any address.',
    keyTitle: 'Use a provider’s API key',
    key: 'Paste the key of OpenAI, Anthropic, Google, or another provider. It stays in this browser.',
    connect: 'Connect a model…',
    lookAgain: 'Check again',
    problems: 'Some models couldn’t be reached:',
  },
  tools: {
    group: (name: string) => `Tool call: ${name}`,
    states: {
      writing: 'writing arguments',
      waiting: 'waiting',
      asking: 'waiting for you',
      running: 'running',
      done: 'done',
      failed: 'failed',
      denied: 'denied',
      stopped: 'stopped',
      interrupted: 'interrupted',
      incomplete: 'cut off',
      unknown: 'unknown tool',
      invalid: 'invalid arguments',
    },
    repairRound: (round: number, of: number) => `page failed, attempt ${round} of ${of}`,
    arguments: 'Arguments',
    result: 'Result',
    resultImage: 'Image in the result',
    value: 'Value',
    nothing: 'None',
    openFile: 'Open file',
    copyResult: 'Copy result',
    runAgain: 'Run again',
    resultNow: 'Current result',
    options: (name: string) => `Options for ${name}`,
    readFolded: (n: number) => `read ${count(n, 'file or folder', 'files and folders')}`,
    allowOnce: 'Allow once',
    allowThread: 'Allow in this thread',
    alwaysAllow: 'Always allow',
    deny: 'Deny',
    threadScope: (tool: string) => `Allow in this thread: ${tool} can run in this thread without asking again.`,
    alwaysScope: (toolset: string, effect: ToolEffect) =>
      `Always allow: ${toolset} tools can ${{ read: 'read', write: 'make changes', execute: 'run code' }[effect]} in every thread without asking.`,
    canvas: (width: number, height: number) => `Canvas, ${width} by ${height} pixels`,
    drawing: 'Rendered element',
    markup: 'Markup',
    moreEntries: (count: number) => `${count} more`,
    sandboxHasNoDom: 'This browser can’t give the sandbox its own process, so the code ran in a worker without a DOM.',
    sandboxSharesHost:
      'The sandbox shares the studio’s host, so heavy code can slow down this page. The README explains how to give it a separate host.',
    /** What the model wants to do, by the tool's verb. */
    asks: {
      call: (tool) => `The model wants to call ${tool}.`,
      'run-code': () => 'The model wants to run this code in a sandbox in your browser.',
      'run-command': (cwd) => `The model wants to run this command on your workspace files, in ${cwd}.`,
      'open-page': (path) =>
        path === ''
          ? 'The model wants to open a page in the preview and run its scripts.'
          : `The model wants to open ${path} in the preview and run its scripts.`,
      read: (path) => `The model wants to read ${path}.`,
      list: (path) => `The model wants to list ${path}.`,
      search: (pattern) => `The model wants to search your files for ${pattern}.`,
      check: (path) => `The model wants to check ${path} for problems.`,
      write: (path) => `The model wants to write ${path}.`,
      edit: (path) => `The model wants to edit ${path}.`,
      patch: (...paths) =>
        paths.length === 0
          ? 'The model wants to apply this patch to your files.'
          : `The model wants to apply this patch to ${new Intl.ListFormat('en').format(paths)}.`,
      'make-directory': (path) => `The model wants to create the folder ${path}.`,
      move: (from, to) => `The model wants to move ${from} to ${to}.`,
      copy: (from, to) => `The model wants to copy ${from} to ${to}.`,
      delete: (path, recursive) =>
        recursive === 'true'
          ? `The model wants to delete ${path} and everything in it.`
          : `The model wants to delete ${path}.`,
    } as Record<ToolVerb | 'call', (...names: string[]) => string>,
    note: 'Tell the model why (optional)',
    denied: 'The user denied this call.',
    deniedWith: (reason: string) => `The user denied this call and said: ${reason}`,
    origin: (origin: CallOrigin) => {
      if (origin.type === 'shown')
        return 'The model may only be quoting this call, because its reply continues after it. Allow it only if you want it to run.';
      const advice = 'Someone may have put it there for the model to repeat. Allow it only if you want it to run.';
      if (origin.in.type === 'result')
        return `This call appears word for word in what ${origin.in.toolName} returned. ${advice}`;
      if (origin.in.type === 'attachment')
        return `This call appears word for word in the attached file ${origin.in.name}. ${advice}`;
      return `This call appears word for word in one of the messages you sent. ${advice}`;
    },
    originExcerpt: 'Where it appears',
    toModel: 'Sent to the model:',
    waitingOutOfSight: (n: number) => `${count(n, 'call', 'calls')} waiting for you`,
    showWaiting: 'Show',
  },
  mirror: {
    notice: 'This thread is active in another tab. Here you can only read it.',
    continueHere: 'Continue here',
  },
  errors: {
    title: 'The answer couldn’t be completed',
    chooseModel: 'Choose another model',
    openSettings: 'Open settings',
    freeSpace: 'Free up space…',
    notStored: 'Couldn’t save',
    codes: {
      'no-models': 'No model is available. Connect one under “Settings › Models”, then retry.',
      'keys-locked': 'Your keys are locked. Enter their passphrase under “Settings › Models”, then retry.',
      'key-needed': 'The key of this connection isn’t in this browser. Enter it under “Settings › Models”, then retry.',
      'address-refused': 'The studio’s server doesn’t call this model’s address.',
      'personal-keys-off': 'The operator of this studio has turned off personal connections. Choose another model.',
      'no-model': 'This model is no longer available. Choose another one, then retry.',
      'key-missing':
        'This model needs an API key that the server doesn’t have. Set it and restart the studio, or choose another model.',
      'key-refused': 'The provider rejected the API key. Check it where it was set, or choose another model.',
      'model-not-found':
        'The provider doesn’t have this model. Choose another one, or correct its name in the configuration.',
      'no-chat-template':
        'This model can’t chat: its server has no chat template for it. Choose an “instruct” or “chat” model, or start the server with a template.',
      'context-too-small':
        'The system prompt and the tools fill this model’s context, so there is no room for a message. Turn tools off, shorten the system prompt, or choose a model with a larger context.',
      'rate-limited': 'You’ve reached the provider’s rate limit. Wait a moment, then retry.',
      'context-too-long':
        'The conversation is too long for the model, even with older parts left out. Start a new thread, shorten the message, or choose a model with a larger context.',
      'endpoint-unreachable':
        'Can’t reach the model’s server. Check that it’s running and that its address is correct, then retry.',
      'endpoint-timeout': 'The model’s server took too long to respond. Retry, or choose another model.',
      'endpoint-error': 'The model’s server returned an error. Retry, or choose another model.',
      'stream-broken':
        'The connection to the model broke partway through the answer. Everything received so far is kept. Retry to continue from the last completed step.',
      'empty-reply': 'The model sent an empty answer twice. Retry, or choose another model.',
      'reply-too-long':
        'The model’s answer reached the length limit and was stopped. Retry, choose another model, or raise the reply limit on the server.',
      'tools-refused': 'The model doesn’t support tools in this mode. Set “Tool calling” to Prompted, then retry.',
      interrupted: 'This answer wasn’t finished when the thread was saved. Retry to continue it.',
      'run-lost':
        'The studio’s server restarted while the model was answering. Everything received so far is kept. Retry to continue.',
      'server-unreachable': 'The studio’s server isn’t responding. Check that it’s running, then retry.',
      'message-too-long': 'The message is too long to send. Edit it to make it shorter, or attach the text as a file.',
      'too-large': 'The message and its attachments are too large to send. Remove something, then try again.',
      'outdated-page': 'The studio has been updated since this page was opened. Reload the page, then retry.',
      'catalogue-needed': 'The server doesn’t know this page’s tools. Reload the page, then retry.',
      'invalid-catalogue':
        'The server rejected this page’s tools. Reload the page, then retry. If it happens again, turn some tools off.',
      files: 'Something went wrong with this thread’s files. No files were lost. Try again.',
      'storage-full':
        'This browser’s storage is full. Free up some space, for example by deleting old threads, then retry.',
      'storage-unavailable':
        'This browser’s storage was closed, most likely because the studio was updated in another tab. Reload the page.',
      'storage-failed':
        'This browser’s storage failed. Reload the page. If it happens again, save a backup in the settings.',
    } as Record<string, string>,
    unknown:
      'Something unexpected happened. Retry. If it happens again, copy the details and send them to whoever runs this studio.',
  },
  files: {
    tree: 'Files',
    empty: 'No files yet.',
    emptyHint: 'Ask the model to create some, drop files or a zip here, or create one yourself.',
    opening: 'Opening files…',
    notOpened: 'This thread’s files couldn’t be opened. No files were lost.',
    views: { tree: 'Files', search: 'Search in files', timeline: 'Timeline' },
    newName: (name: string) => `New name for ${name}`,
    moveTo: 'Move to…',
    copyPath: 'Copy path',
    download: 'Download',
    downloadZip: 'Download as zip',
    compare: 'Compare with state before last message',
    comparedWithCheckpoint: 'Changes since your last message',
    importHere: 'Import files here…',
    importTitle: 'Import files',
    importing: 'Reading files…',
    importExisting: (existing: number, total: number) =>
      `${existing.toLocaleString('en')} of ${count(total, 'file already exists', 'files already exist')}:`,
    importSkip: 'Keep existing',
    importReplace: 'Replace',
    refused: (reason: string) => `Import failed: ${reason}. Nothing was changed.`,
    archive: {
      broken: ({ detail }: { detail: string }) => `the zip file is damaged (${detail})`,
      empty: () => 'it’s empty',
      'too-many': ({ limit }: { limit: number }) => `it contains more than ${limit} files and folders`,
      'too-large': ({ limit }: { limit: number }) => `it’s larger than ${limit} MB`,
      'too-large-unpacked': ({ limit }: { limit: number }) => `it unpacks to more than ${limit} MB`,
      'absolute-path': ({ path }: { path: string }) => `it contains the absolute path ${path}`,
      'path-out': ({ path }: { path: string }) =>
        `it contains the path ${path}, which points outside the folder you’re importing into`,
      'bad-path': ({ path }: { path: string }) => `it contains the path ${path}, which isn’t a valid file path here`,
    },
    deleteSeveralDetail:
      'They will be removed from the workspace along with everything in them. You can restore them from the timeline.',
    deleteSeveral: (n: number) => `Delete ${n} items`,
    deleteSeveralTitle: (n: number) => `Delete ${n} items?`,
    size: (bytes: number) => formatBytes(bytes, 'en'),
    newFile: 'New file',
    newFolder: 'New folder',
    pathLabel: 'Path',
    create: 'Create',
    options: (path: string) => `Options for ${path}`,
    open: 'Open',
    renameTitle: 'Rename or move',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteFile: 'The file will be removed from the workspace. You can restore it from the timeline.',
    deleteFolder:
      'The folder will be removed from the workspace along with everything in it. You can restore it from the timeline.',
    failed: (reason: string, path: string) => `That didn’t work${path && ` (${path})`}: ${reason}`,
    noName: 'Invalid name: it can’t be empty, “.” or “..”, or contain a slash.',
    reasons: {
      EEXIST: 'An item with that name already exists.',
      ESTALE: 'A file with that name already exists.',
      EINVAL: 'That path isn’t valid in the workspace.',
      EISDIR: 'That path is a folder. Add a file name.',
      ENAMETOOLONG: 'That name is too long.',
      ENOENT: 'It’s no longer in the workspace.',
      ENOSPC: 'This browser’s storage is full.',
      ENOTDIR: 'Part of that path is a file, not a folder.',
      ENOTEMPTY: 'A folder with that name already exists and isn’t empty.',
    } as Record<string, string>,
  },
  editor: {
    none: 'Open a file from the tree or from a tool call.',
    tabs: 'Open files',
    closeTab: (name: string) => `Close ${name}`,
    unsaved: 'unsaved',
    label: (path: string) => `${path}. Press Ctrl+M to let the Tab key leave the editor.`,
    discardTitle: (name: string) => `Discard your edits to ${name}?`,
    discardDetail:
      'They haven’t been saved to the workspace. To keep them, cancel and choose “Keep my edits” above the text.',
    discard: 'Discard',
    loading: 'Loading editor…',
    gone: 'This file is no longer in the workspace.',
    binary: 'This file isn’t text, so the editor can’t show it.',
    keepAsNew: 'Recreate file',
    changedByModel: 'This file changed while you had unsaved edits.',
    changedDetail: 'Both versions are kept. Choose your edits or the other version, or merge the two.',
    beside: (path: string, beside: string) =>
      `${path} changed after you typed in it. Your text was saved to ${beside}.`,
    nothingLost: 'Both versions are kept. New edits aren’t saved until you choose one.',
    compare: 'Compare and merge…',
    conflictTitle: 'Two versions of this file',
    yours: 'Your edits',
    theirs: 'The other version',
    merged: 'Merged',
    mergedOpen: 'Merged (resolve the marked lines before saving)',
    saveMerged: 'Save merged version',
    viewTitles: {
      diff: (name: string) => `${name} (changes)`,
      live: (name: string) => `${name} (being written)`,
    },
    openCurrent: 'Open file',
    diffLabel: (path: string) => `Changes to ${path}`,
    binaryDiff: 'This file isn’t text, so its changes can’t be shown.',
    brokenImage: 'This image can’t be shown.',
    live: 'The model is writing this file. It isn’t in the workspace yet.',
    liveLabel: (path: string) => `${path}, as the model writes it`,
    useTheirs: 'Use the other version',
    keepMine: 'Keep my edits',
    saveFailed: (reason: string) => `Not saved: ${reason}`,
  },
  fileSearch: {
    pattern: 'Search in files',
    patternHint: 'Search',
    glob: 'Files to include',
    globHint: 'Only in *.ts',
    replacement: 'Replace with',
    replacementHint: 'Replace',
    matchCase: 'Match case',
    regex: 'Regular expression',
    searching: 'Searching…',
    timedOut:
      'The search took too long and was stopped. The pattern is probably too complex for one of the lines. Simplify it, or search fewer files.',
    replaceAll: 'Replace all',
    replaceIn: (path: string) => `Replace all in ${path}`,
    replaceAt: (path: string, line: number) => `Replace on line ${line} of ${path}`,
    noRegex: (reason: string) => `Invalid regular expression: ${reason}`,
    confirm: (lines: string, replacement: string) => `Replace the matches on ${lines} with “${replacement}”?`,
    confirmEmpty: (lines: string) => `Delete the matches on ${lines}?`,
    lines: (lines: number, files: number) => `${count(lines, 'line', 'lines')} in ${count(files, 'file', 'files')}`,
    moreLines: (lines: number) => `more than ${count(lines, 'line', 'lines')}`,
    confirmDetail: 'You can undo this from the timeline.',
    replaced: (places: number, files: number) =>
      `Replaced ${count(places, 'match', 'matches')} in ${count(files, 'file', 'files')}. You can undo this from the timeline.`,
    none: 'No results.',
    found: (lines: number) => `${count(lines, 'line', 'lines')} found`,
    more: (lines: number) => `Showing the first ${lines} lines`,
  },
  timeline: {
    empty: 'No changes yet.',
    more: 'Show earlier steps',
    moreFiles: (n: number) => `${count(n, 'more file', 'more files')}`,
    forgotten: 'Earlier history was deleted to save space.',
    byPerson: 'You',
    byModel: (toolName: string | undefined) => (toolName === undefined ? 'Model' : `Model: ${toolName}`),
    wentBack: 'Files restored',
    undo: (name: string) => `Undo this step (${name})`,
    restore: (name: string) => `Restore files to their state after this step (${name})`,
    undone: 'Undone. The undo appears as a new step at the top.',
    restored: 'Files restored to their state after that step.',
    changedSince: (paths: string) => `Not undone because it would also undo later changes to ${paths}.`,
    gone: 'The history no longer goes back that far.',
    kinds: { created: 'Created', changed: 'Changed', deleted: 'Deleted' },
  },
  moves: {
    titles: {
      others: 'Changes that will be undone',
      busy: 'These files are in use',
      forgotten: 'The files can’t go back that far',
    },
    details: {
      others:
        'Your files will go back to that point. This undoes what this thread has changed since, and also the changes below, made by you or another thread. All of it stays in the timeline, and you can return to the current version.',
      busy: 'Files can’t be restored while a tool call is using them. Wait until it finishes, or stop it.',
      forgotten: 'The file history from that time was deleted to save space.',
    },
    by: { person: 'by you', thread: 'by another thread' },
    more: (n: number) => `and ${count(n, 'more file', 'more files')}`,
    move: 'Restore files',
    stay: 'Keep current files',
    outcomes: {
      moved: 'Files restored to their state at that message.',
      same: 'The files already match that message.',
      unknown: 'The files weren’t changed. This thread came from a backup, so their state at that message isn’t known.',
    },
    busyNow: 'A tool call is using these files. Try again when it’s done.',
  },
  workspaces: {
    unnamed: 'New workspace',
    options: (name: string) => `Workspace: ${name}`,
    newThread: 'New thread with these files',
    rename: 'Rename workspace',
    nameLabel: 'Name',
    importFiles: 'Import files or a zip…',
    importFolder: 'Import a folder…',
    joinFolder: 'Sync with a local folder…',
    exportZip: 'Download all as zip',
    remove: 'Delete workspace…',
    removeDetail: 'Its files and their history will be permanently deleted. No thread uses them.',
    choice: 'Files for the new thread',
    own: 'Empty workspace',
  },
  settings: {
    title: 'Settings',
    open: 'Settings',
    appearance: 'Appearance',
    theme: 'Theme',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    language: 'Language',
    chat: 'Chat',
    defaultModel: 'Model for new threads',
    serverDefault: 'Server default',
    titleModel: 'Thread titles',
    noTitleModel: 'The first words of the thread',
    defaultSystemPrompt: 'Default system prompt',
    permissions: 'Permissions',
    permissionsHelp:
      'What tools can do without asking. Changing a setting takes effect in every thread at once and revokes earlier approvals of that kind.',
    policies: { allow: 'Allow', ask: 'Ask', deny: 'Deny' },
    effectNames: { read: 'Read', write: 'Write', execute: 'Run code' },
    permissionLabel: (toolset: string, effect: string) => `${toolset}: ${effect}`,
    grants: 'Approvals',
    noGrants: 'No approvals.',
    grantAlways: (kind: string, tool: string, thread: string) =>
      `${kind}, in every thread. Approved when ${tool} asked in “${thread}”`,
    grantAlwaysHere: (kind: string) => `${kind}, in every thread. Approved in these settings`,
    grantThread: (tool: string, thread: string) => `${tool}, in “${thread}”`,
    grantTime: (date: string) => `on ${date}`,
    revoke: 'Revoke',
    revokeLabel: (grant: string) => `Revoke: ${grant}`,
    data: 'Your data',
    dataHelp: 'Threads, settings, and files are stored only in this browser. Save a backup regularly.',
    saveBackup: 'Save a backup',
    restoreBackup: 'Restore a backup',
    exportThread: 'Export this thread',
    importThread: 'Import a thread',
    lastBackup: (date: string) => `Last backup: ${date}`,
    neverBackedUp: 'No backup yet.',
    restoreTitle: 'Restore this backup?',
    restoreDetail: (threads: number, files: number, date: string) =>
      `It was saved on ${date} and contains ${count(threads, 'thread', 'threads')} and ${count(files, 'file', 'files')}.`,
    restoreBeside:
      'Nothing here is overwritten. If a thread or workspace is already here with different contents, the backup’s version is added as a copy.',
    restorePresent: (n: number) =>
      n === 1
        ? '1 thread is already here and won’t be added again.'
        : `${n} threads are already here and won’t be added again.`,
    restoreUnfinished: (n: number) =>
      `${count(n, 'unfinished answer', 'unfinished answers')} will be marked as interrupted. Nothing runs until you continue.`,
    restoreSettings: 'The theme, language, model, and system prompt come from the backup.',
    restoreLeftOut: ({ permissions, grants, queued }: { permissions: number; grants: number; queued: number }) =>
      `Not restored: ${new Intl.ListFormat('en').format([
        ...(permissions === 0 ? [] : [count(permissions, 'permission setting', 'permission settings')]),
        ...(grants === 0 ? [] : [count(grants, 'tool approval', 'tool approvals')]),
        ...(queued === 0 ? [] : [count(queued, 'message waiting to be sent', 'messages waiting to be sent')]),
      ])}.`,
    restore: 'Restore',
    restored: (threads: number, files: number) =>
      `Restored ${count(threads, 'thread', 'threads')} and ${count(files, 'file', 'files')}.`,
    importFailed: (reason: string) => `Nothing was imported: ${reason}`,
    restoreFailed: (reason: string) =>
      `Not everything was restored: ${reason}. Restore the backup again to add what’s missing.`,
    imported: 'The thread was imported.',
  },
  folder: {
    joinTitle: 'Sync these files with a folder on this computer',
    joinDetail:
      'Files that only one side has are copied to the other. Where both sides have a file and the contents differ, the folder’s version wins; the workspace’s version stays in the timeline. After that, changes sync both ways while the studio is open. Folders named node_modules and .git are skipped.',
    join: 'Choose a folder…',
    states: {
      syncing: 'Syncing…',
      synced: 'Up to date',
      incomplete: 'Some files not synced',
      paused: 'Paused',
      locked: 'Permission needed',
      elsewhere: 'Syncing in another tab',
      failed: 'Sync failed',
    },
    conflicts: (n: number) => `${count(n, 'file', 'files')} changed on both sides`,
    keepOf: (side: string, path: string) => `${side}: ${path}`,
    details: {
      paused: 'Nothing syncs until you resume.',
      move: 'The files here went back to an earlier point. The folder still has the newer ones. Resume to copy the files here to the folder.',
      locked: 'The browser asks for permission again on each visit.',
      incomplete: 'Everything else is up to date. The studio keeps trying to sync these files.',
    },
    reasons: {
      unreadable: (message: string) => `Can’t be read from the folder: ${message}`,
      unwritable: (message: string) => `Can’t be copied: ${message}`,
      kind: 'One side has a file and the other a folder with this name. Rename one of them.',
      name: (existing: string) => `The disk treats this name and “${existing}” as the same. Rename one of them.`,
      changing: 'Another program keeps changing it.',
    },
    moreSkipped: (n: number) => `and ${count(n, 'more file', 'more files')}`,
    unlock: 'Allow access',
    resume: 'Resume',
    pause: 'Pause',
    leave: 'Disconnect',
    keepWorkspace: 'Keep the workspace’s version',
    keepFolder: 'Keep the folder’s version',
  },
  storage: {
    title: 'Storage',
    used: (used: string, quota: string) => `${used} of ${quota} used`,
    unknown: 'This browser doesn’t report how much space is used.',
    persistent: 'The browser keeps your data until you delete it.',
    notPersistent: 'The browser may clear your data when disk space runs low. Save a backup regularly.',
    age: 'History to delete',
    ages: (days: number) => (days === 0 ? 'All history' : `History older than ${count(days, 'day', 'days')}`),
    deleteHistory: 'Delete history',
    deleteHistoryHelp:
      'Your current files stay as they are. Older versions are deleted in every workspace and can’t be restored.',
    confirmDelete: (days: number) =>
      days === 0 ? 'Delete all history?' : `Delete history older than ${count(days, 'day', 'days')}?`,
    confirmDeleteDetail: (versions: number) =>
      `This permanently deletes ${count(versions, 'earlier version', 'earlier versions')} across all workspaces. Your current files stay as they are.`,
    nothingToDelete: (days: number) =>
      days === 0 ? 'There’s no history to delete.' : `There’s no history older than ${count(days, 'day', 'days')}.`,
    historyDeleted: (freed: string) => `History deleted. ${freed} freed; the browser may free more later.`,
    nearlyFull: 'This browser’s storage is nearly full',
    nearlyFullDetail:
      'Once it’s full, nothing new can be saved. What you’ve already saved stays. Delete old history, or delete threads and files you don’t need.',
  },
  backup: {
    reminder: 'Your threads and files are stored only in this browser. Save a backup regularly.',
    save: 'Save a backup',
    later: 'Not now',
  },
  palette: {
    title: 'Command palette',
    placeholder: 'Search commands, threads, files, and models…',
    nothing: 'No results.',
    commands: 'Commands',
    threads: 'Threads',
    files: 'Files',
    recentModels: 'Recently used',
    nativeTools: 'Native tool calling',
    promptedTools: 'Tools described in the prompt',
    vision: 'Reads images',
    context: 'Context, in tokens',
    contextSize: (tokens: number) =>
      new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(tokens),
    current: 'In use',
    models: 'Models',
    quickOpen: 'Open file',
    quickOpenPlaceholder: 'Search files by path…',
    chooseModel: 'Choose model',
    chooseModelPlaceholder: 'Search models by name…',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    palette: 'Command palette',
    send: 'Send message',
    newLine: 'New line',
    stop: 'Close, or stop the answer when in the message box',
    quickOpen: 'Open file',
    searchFiles: 'Search in files',
    toggleThreads: 'Show or hide threads',
    toggleWorkspace: 'Show or hide the workspace',
    previousMessage: 'Previous message',
    nextMessage: 'Next message',
    help: 'Keyboard shortcuts',
    save: 'Save file',
    leaveEditor: 'Toggle whether Tab leaves the editor',
  },
  inspector: {
    title: 'Prompt sent to the model',
    step: (n: number) => `Step ${n}`,
    verified: 'Rebuilt by the code that sent it. Its hash matches the one stored at the time.',
    differs:
      'Rebuilt, but its hash doesn’t match the stored one. A tool, a prompt fragment, or the model’s settings have changed since, or the thread was imported or restored from a backup.',
    failed: 'The prompt couldn’t be rebuilt.',
    model: 'Model',
    toolCalling: 'Tool calling',
    duration: 'Duration',
    tokens: 'Tokens',
    finishReason: 'Finish reason',
    finishReasons: {
      stop: 'Done',
      'tool-calls': 'Tool calls',
      length: 'Length limit',
      'content-filter': 'Content filter',
    } as Record<string, string>,
    prompt: 'Prompt',
    protocolTokens: 'Tool protocol tokens (estimate)',
    tools: (n: number) => `${count(n, 'tool', 'tools')} sent to the provider`,
    roles: { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' } as Record<string, string>,
  },
  time: {
    ms: (ms: number) => `${ms} ms`,
    seconds: (s: number) => `${s.toFixed(1)} s`,
  },
};
