import type { CallOrigin } from '#lib/tools/call-origin.ts';
import type { ToolEffect, ToolVerb } from '#lib/tools/tool.ts';

const plural = new Intl.PluralRules('en');
const count = (n: number, one: string, other: string): string =>
  `${n.toLocaleString('en')} ${plural.select(n) === 'one' ? one : other}`;

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size as people write it, in powers of a thousand. */
export function formatBytes(bytes: number, locale: string): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unitDisplay = power === 0 ? 'long' : 'short';
  const format = { style: 'unit', unit: UNITS[power], unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(bytes / 1_000 ** power);
}

/** Every text of the studio. The other catalogues have the same shape, which the compiler checks. */
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
    reload: 'Reload the page',
  },
  start: {
    noStorageTitle: 'This browser does not let the studio store anything',
    noStorage:
      'Threads and files live in this browser’s own database (IndexedDB), and it cannot be opened. Private windows and blocked site data are the usual reasons. You can go on, but all of it is gone when this tab is closed or reloaded: save a backup before. To keep things, allow site data for this address, or open the studio in a normal window.',
    insecureTitle: 'Open the studio over HTTPS or on localhost',
    insecure:
      'This page was opened over plain HTTP from another machine. Browsers then withhold what the studio needs to keep tabs from disturbing each other. Use http://localhost on the machine itself, or put HTTPS in front of it.',
    failedTitle: 'The studio cannot be opened',
    failed:
      'Something is in the way in this browser. Reload the page; if it stays like this, the details below say what it is.',
    crashTitle: 'Something in the studio broke',
    crashHere: 'This part of the studio broke. The rest goes on, and nothing that was stored is lost.',
    tryAgain: 'Try again',
  },
  panes: {
    threads: 'Threads',
    chat: 'Chat',
    files: 'Files',
    editor: 'Editor',
    console: 'Console',
    preview: 'Preview',
    beside: 'Editor, preview or console',
    workspace: 'Workspace',
    resizeThreads: 'Resize the thread list',
    resizeWorkspace: 'Resize the workspace',
    resizeFiles: 'Resize the file tree',
  },
  console: {
    log: 'What ran',
    prompt: 'Run JavaScript in this thread’s sandbox',
    run: 'Run',
    stop: 'Stop',
    copy: 'Copy all',
    clear: 'Clear the console',
    reset: 'Reset the session',
    empty: 'Nothing has run in this thread’s sandbox since this page was loaded.',
    began: 'A new session began.',
    by: { model: 'Model', person: 'You' },
    refused: (target: string, directive: string, line: number | undefined) =>
      `Refused: ${target} (${directive}${line === undefined ? '' : `, line ${line}`})`,
  },
  threads: {
    newThread: 'New thread',
    search: 'Search threads',
    noThreads: 'No threads yet.',
    noMatches: 'No thread matches.',
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
      `Its workspace has ${count(files, 'file', 'files')}, and no other thread works on them. They can stay for other threads, or go with it, history included.`,
    keepFiles: 'Delete the thread only',
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
    restoreFiles: 'Restore files to here',
    inspect: 'What the model got',
    previousBranch: 'Previous version',
    nextBranch: 'Next version',
    branch: (n: number, of: number) => `Version ${n} of ${of}`,
    showAll: (characters: string) => `Show all ${characters} characters`,
    stopped: 'Stopped.',
    goOn: 'Go on',
    thinking: 'Thinking…',
    thought: (seconds: number) => `Thought for ${seconds < 1 ? 'less than a second' : `${Math.round(seconds)} s`}`,
    waitingForModel: 'Waiting for the model…',
    reconnecting: 'The studio’s server does not answer. Trying again…',
    scrollDown: 'Scroll to the latest message',
    queued: 'Will be sent when the answer is finished',
    notSentYet: 'Not sent, because the answer before it was not finished',
    sendNow: 'Send now',
    takeBack: 'Take back',
    tokens: (input: string, output: string) => `${input} in, ${output} out`,
    image: (name: string) => `Image ${name}`,
    attachment: (name: string) => `Attached file ${name}`,
  },
  notices: {
    stepLimit: (steps: number) =>
      `The turn ended after ${count(steps, 'step', 'steps')}, the most it may take. Send a message to go on.`,
    historyTrimmed: (n: number) =>
      `The model’s context is full: ${count(n, 'older part', 'older parts')} of this thread were left out.`,
    resultCut: (tool: string, kept: string, total: string) =>
      `The result of ${tool} was too long for the model: it got the first ${kept} of ${total} characters.`,
    toolsRefused: (model: string) => `${model} refused native tools, so it now gets them through the prompt.`,
    callUnreadable: (tool: string, askedAgain: boolean) =>
      askedAgain
        ? `A call of ${tool} could not be read, so nothing was run. The model was shown the right form and asked again.`
        : `A call of ${tool} could not be read, so nothing was run. Try again, another tool calling mode, or another model.`,
    length: 'The answer reached the model’s length limit.',
    contentFilter: 'The provider’s content filter ended the answer.',
    unknownContext: (model: string) =>
      `The context size of ${model} is not known; 8,000 tokens are assumed. Set contextSize in models.yaml to use more.`,
  },
  composer: {
    label: 'Message',
    placeholder: 'Ask for something…',
    send: 'Send',
    stop: 'Stop',
    attach: 'Attach files',
    removeAttachment: (name: string) => `Remove ${name}`,
    tooLarge: (name: string, limit: string) =>
      `${name} is larger than ${limit}. Attach a smaller file, or put it into the workspace.`,
    notText: (name: string) => `${name} is neither an image nor text, so a model could not read it.`,
    noVision: (model: string) => `${model} does not see images.`,
    hint: 'Enter to send, Shift-Enter for a new line',
    heldBack: 'Your edited message was not sent. It is in the message box.',
    unsent: 'Your message was not sent. It is back in the message box.',
  },
  controls: {
    model: 'Model',
    refreshModels: 'Look for models again',
    noModels: 'No model found',
    modelGone: (id: string) => `${id} (not available)`,
    toolCalling: 'Tool calling',
    toolCallingAuto: (effective: string) => `Auto (${effective})`,
    toolCallingModes: { auto: 'Auto', native: 'Native', prompted: 'Prompted' },
    toolCallingHelp: {
      auto: 'Native where the model has it, otherwise prompted',
      native: 'The provider’s own tool calling',
      prompted: 'The tools are described in the prompt and calls are read from the text',
    },
    toolsRefused: 'The endpoint refused native tools, so they are prompted',
    retryNative: 'Auto, native tools once more',
    retryNativeHelp: 'Forgets the refusal and asks the endpoint again',
    toolsets: 'Tools',
    toolsetNames: { browser: 'Browser', files: 'Files' } as Record<string, string>,
    threadOptions: 'Thread options',
    systemPrompt: 'System prompt',
    systemPromptHelp: 'What the model is told before this thread begins.',
    useDefault: 'Use the default',
    contextUsed: (used: string, size: string) => `${used} of ${size} tokens`,
    contextUsedLabel: 'Tokens used of the model’s context',
  },
  empty: {
    lead: 'Ask for something. The model computes and works on files here, in your browser.',
    suggestions: [
      { title: 'Compute', prompt: 'Sum of the primes below 1000', needsFiles: false },
      { title: 'Write a file', prompt: 'Create a simple React component Button.tsx', needsFiles: false },
      { title: 'Change a file', prompt: 'Look into src and change the title in App.tsx', needsFiles: true },
    ],
    withExampleFiles: (title: string) => `${title} (puts a small example project into the workspace first)`,
    onlyDemo:
      'Only the demo is here: it is scripted and plays these three examples. To talk to a real model, do one of these:',
    noModel: 'There is no model yet. To get one, do one of these:',
    localTitle: 'Use a model on this computer',
    local: 'Start Ollama, LM Studio, llama.cpp or vLLM. The studio finds it by itself.',
    keyTitle: 'Use a provider with a key',
    key: 'Set a variable such as OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY and start the studio again.',
    lookAgain: 'Look again',
    problems: 'Some models could not be reached:',
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
    value: 'Value',
    nothing: 'Nothing',
    openFile: 'Open file',
    copyResult: 'Copy result',
    runAgain: 'Run again',
    resultNow: 'Result now',
    options: (name: string) => `Options for ${name}`,
    readFolded: (n: number) => `read ${count(n, 'file or directory', 'files and directories')}`,
    allowOnce: 'Allow once',
    allowThread: 'Allow in this thread',
    alwaysAllow: 'Always allow',
    deny: 'Deny',
    threadScope: (tool: string) => `Allow in this thread: ${tool} can run in this thread without asking again.`,
    alwaysScope: (toolset: string, effect: ToolEffect) =>
      `Always allow: every ${toolset} tool that ${{ read: 'reads', write: 'writes', execute: 'runs something' }[effect]} can do so in every thread.`,
    canvas: (width: number, height: number) => `Canvas, ${width} by ${height} pixels`,
    drawing: 'The element, drawn',
    markup: 'Markup',
    moreEntries: (count: number) => `${count} more`,
    sandboxHasNoDom:
      'This browser gives the sandbox no thread of its own, so the code ran in a worker, without a page.',
    sandboxSharesHost:
      'The sandbox shares the studio’s host: code that is busy can slow this page down. The README says how it gets a host of its own.',
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
    denied: 'The person denied this call.',
    deniedWith: (reason: string) => `The person denied this call and said: ${reason}`,
    origin: (origin: CallOrigin) => {
      if (origin.type === 'shown')
        return 'The model may only be quoting this call: its reply goes on after it. Allow it only if you want it to run.';
      const advice = 'Someone may have put it there for the model to repeat. Allow it only if you want it to run.';
      if (origin.in.type === 'result')
        return `This call appears word for word in what ${origin.in.toolName} returned. ${advice}`;
      if (origin.in.type === 'attachment')
        return `This call appears word for word in the attached file ${origin.in.name}. ${advice}`;
      return `This call appears word for word in one of the messages you sent. ${advice}`;
    },
    originExcerpt: 'Where it appears',
    toModel: 'The model was told:',
    waitingOutOfSight: (n: number) => `${count(n, 'call waits', 'calls wait')} for you`,
    showWaiting: 'Show it',
  },
  mirror: {
    notice: 'This thread is open in another tab, which acts for it. Here it is only shown.',
    continueHere: 'Continue here',
  },
  errors: {
    title: 'The answer could not be finished',
    chooseModel: 'Choose another model',
    openSettings: 'Open settings',
    freeSpace: 'Free up space…',
    notStored: 'That could not be stored',
    codes: {
      'no-models':
        'There is no model to answer. Start one on this computer, or set a provider’s key and restart the studio, then retry.',
      'no-model': 'This model is not available any more. Choose another one, then retry.',
      'key-missing':
        'The model needs a key that the server does not have. Set it and restart the studio, or choose another model.',
      'key-refused': 'The provider refused the key. Check it in the server’s environment, or choose another model.',
      'model-not-found':
        'The provider does not know this model. Choose another one, or correct its name in the configuration.',
      'rate-limited': 'The provider limits how much may be asked at a time. Wait a little, then retry.',
      'context-too-long':
        'The conversation is longer than the model can take, even after older parts were left out. Start a new thread, shorten the message, or choose a model with more context.',
      'endpoint-unreachable':
        'The model’s server cannot be reached. Check that it runs and its address is right, then retry.',
      'endpoint-timeout': 'The model’s server took too long to answer. Retry, or choose another model.',
      'endpoint-error': 'The model’s server answered with an error. Retry, or choose another model.',
      'stream-broken':
        'The connection to the model broke in the middle of the answer. What arrived is kept; retry to go on from the last finished step.',
      'empty-reply': 'The model sent an empty answer, twice. Retry, or choose another model.',
      'reply-too-long':
        'The model did not stop writing, so its answer was ended. Retry, choose another model, or let the server allow longer replies.',
      'tools-refused': 'The model does not take tools in this mode. Set “Tool calling” to Prompted, then retry.',
      interrupted: 'This answer wasn’t finished when the thread was saved. Retry to continue it.',
      'run-lost':
        'The studio’s server was restarted while the model was answering. What arrived is kept; retry to go on.',
      'server-unreachable': 'The studio’s server does not answer. Check that it still runs, then retry.',
      'message-too-long': 'The message is too long to be sent. Edit it to shorten it, or attach the text as a file.',
      'too-large': 'The message and its attachments are too large to be sent. Remove something, then try again.',
      files: 'The files of this thread did not do what that needed. Nothing of them is lost; try again.',
      'storage-full':
        'This browser’s storage is full. Free some space, for instance by deleting old threads, then retry.',
      'storage-unavailable':
        'This browser’s storage was closed, most likely because the studio was updated in another tab. Reload the page.',
      'storage-failed':
        'This browser’s storage failed. Reload the page; if it happens again, save a backup from the settings.',
    } as Record<string, string>,
    unknown:
      'Something unexpected happened. Retry; if it happens again, copy the details for whoever runs this studio.',
  },
  files: {
    tree: 'Files',
    empty: 'No files yet.',
    emptyHint: 'Ask the model for some, drop files or a zip here, or make one.',
    opening: 'Opening the files…',
    notOpened: 'The files of this thread could not be opened. Nothing of them is lost.',
    views: { tree: 'Files', search: 'Search in files', timeline: 'Timeline' },
    newName: (name: string) => `New name of ${name}`,
    moveTo: 'Move to…',
    copyPath: 'Copy path',
    download: 'Download',
    downloadZip: 'Download as zip',
    compare: 'Compare with before the last message',
    comparedWithCheckpoint: 'From when your last message was sent to now',
    importHere: 'Put files here…',
    importTitle: 'Put files into the workspace',
    importing: 'Reading the files…',
    importExisting: (existing: number, total: number) =>
      `Of ${count(total, 'file', 'files')}, ${existing === 1 ? 'one is' : `${existing.toLocaleString('en')} are`} there already:`,
    importSkip: 'Leave those as they are',
    importReplace: 'Replace them',
    refused: (reason: string) => `It was refused: ${reason}. Nothing was changed.`,
    archive: {
      broken: ({ detail }: { detail: string }) => `it is no whole zip file (${detail})`,
      empty: () => 'there is nothing in it',
      'too-many': ({ limit }: { limit: number }) => `it holds more than ${limit} files and folders`,
      'too-large': ({ limit }: { limit: number }) => `it is more than ${limit} MB`,
      'too-large-unpacked': ({ limit }: { limit: number }) => `it unpacks to more than ${limit} MB`,
      'absolute-path': ({ path }: { path: string }) =>
        `it holds the path ${path}, which is not relative to where it is unpacked`,
      'path-out': ({ path }: { path: string }) =>
        `it holds the path ${path}, which leads out of the folder it is unpacked into`,
      'bad-path': ({ path }: { path: string }) => `it holds the path ${path}, which cannot be one of a file here`,
    },
    deleteSeveralDetail:
      'They are removed from the workspace with everything in them. The timeline can bring them back.',
    deleteSeveral: (n: number) => `Delete ${n} entries`,
    deleteSeveralTitle: (n: number) => `Delete ${n} entries?`,
    size: (bytes: number) => formatBytes(bytes, 'en'),
    newFile: 'New file',
    newFolder: 'New folder',
    pathLabel: 'Path',
    create: 'Create',
    options: (path: string) => `Options for ${path}`,
    open: 'Open',
    renameTitle: 'Rename or move',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteFile: 'The file is removed from the workspace. The timeline can bring it back.',
    deleteFolder: 'It is removed from the workspace with everything in it. The timeline can bring it back.',
    failed: (reason: string, path: string) => `That did not work: ${reason}${path && ` (${path})`}`,
    noName: 'That is no name: it must not be empty, “.”, “..”, or hold a slash.',
    reasons: {
      EEXIST: 'There is already something of that name.',
      ESTALE: 'There is already a file of that name.',
      EINVAL: 'That is no path inside the workspace.',
      EISDIR: 'That is the path of a folder. Add a file’s name.',
      ENAMETOOLONG: 'That name is too long.',
      ENOENT: 'That is not in the workspace any more.',
      ENOSPC: 'This browser’s storage is full.',
      ENOTDIR: 'A part of that path is a file, not a folder.',
      ENOTEMPTY: 'There is already a folder of that name, and it is not empty.',
    } as Record<string, string>,
  },
  editor: {
    none: 'Open a file from the tree, or from a tool call.',
    tabs: 'Open files',
    closeTab: (name: string) => `Close ${name}`,
    unsaved: 'unsaved',
    label: (path: string) => `${path}. Ctrl-M lets the Tab key leave the editor.`,
    discardTitle: (name: string) => `Discard your edits of ${name}?`,
    discardDetail: 'They are not in the workspace. To keep them, cancel and choose so above the text.',
    discard: 'Discard',
    loading: 'Loading the editor…',
    gone: 'This file is not in the workspace any more.',
    binary: 'This file is not text, so the editor cannot show it.',
    keepAsNew: 'Write it again',
    changedByModel: 'The file was changed while you have unsaved edits.',
    changedDetail: 'Neither is lost: below are your edits, the other version, and both together.',
    beside: (path: string, beside: string) =>
      `${path} had changed since you typed into it. What you typed is not lost: it is in ${beside}.`,
    nothingLost: 'Neither version is lost. What you type is not saved until you choose.',
    compare: 'Compare and merge…',
    conflictTitle: 'Two versions of this file',
    yours: 'Your edits',
    theirs: 'The other version',
    merged: 'Both together',
    mergedOpen: 'Both together: choose between the marked lines before it can be saved',
    saveMerged: 'Save both together',
    viewTitles: {
      diff: (name: string) => `${name} (changes)`,
      live: (name: string) => `${name} (being written)`,
    },
    openCurrent: 'Open the file',
    diffLabel: (path: string) => `Changes of ${path}`,
    binaryDiff: 'This file is not text, so its changes cannot be shown.',
    brokenImage: 'This picture cannot be shown.',
    live: 'The model is writing this file. It is not in the workspace yet.',
    liveLabel: (path: string) => `${path}, as the model writes it`,
    useTheirs: 'Take the other version',
    keepMine: 'Keep my edits',
    saveFailed: (reason: string) => `Not saved: ${reason}`,
  },
  fileSearch: {
    pattern: 'Search in files',
    glob: 'Only in files such as *.ts',
    replacement: 'Replace with',
    matchCase: 'Match case',
    regex: 'Regular expression',
    searching: 'Searching…',
    timedOut:
      'The search took too long and was ended. The pattern most likely never ends on some line: make it simpler, or search in fewer files.',
    replaceAll: 'Replace all',
    replaceIn: (path: string) => `Replace all in ${path}`,
    replaceAt: (path: string, line: number) => `Replace in line ${line} of ${path}`,
    noRegex: (reason: string) => `This is not a regular expression: ${reason}`,
    confirm: (lines: string, replacement: string) => `Replace what was found in ${lines} with “${replacement}”?`,
    confirmEmpty: (lines: string) => `Delete what was found in ${lines}?`,
    lines: (n: number, hasMore: boolean) =>
      hasMore ? `more than ${count(n, 'line', 'lines')}` : count(n, 'line', 'lines'),
    confirmDetail: 'It is one step, which the timeline can undo.',
    replaced: (places: number, files: number) =>
      `Replaced ${count(places, 'place', 'places')} in ${count(files, 'file', 'files')}. The timeline can undo it.`,
    none: 'Nothing found.',
    found: (lines: number) => `${count(lines, 'line', 'lines')} found`,
    more: (lines: number) => `The first ${lines} lines; there are more`,
  },
  timeline: {
    empty: 'Nothing has changed yet.',
    more: 'Show earlier steps',
    moreFiles: (n: number) => `${count(n, 'more file', 'more files')}`,
    forgotten: 'What was before this has been forgotten, to save storage.',
    byPerson: 'You',
    byModel: (toolName: string | undefined) => (toolName === undefined ? 'The model' : `The model: ${toolName}`),
    wentBack: 'Files brought back to an earlier point',
    undo: (name: string) => `Undo this step (${name})`,
    restore: (name: string) => `Restore files to after this step (${name})`,
    undone: 'Undone. That is a step of its own, at the top.',
    restored: 'The files are as they were after that step.',
    changedSince: (paths: string) => `Not undone, because it would take later changes with it, of ${paths}.`,
    gone: 'The history does not go back that far any more.',
    kinds: { created: 'Created', changed: 'Changed', deleted: 'Deleted' },
  },
  moves: {
    titles: {
      others: 'Changes that go out of sight',
      busy: 'These files are being worked on',
      forgotten: 'The files cannot go back that far',
    },
    details: {
      others:
        'The files will be as they were there. What you or another thread changed and is not part of that is named here. It stays in the timeline, and coming back brings it back.',
      busy: 'Files move only while no tool call is active on them. Wait until this is done, or stop it.',
      forgotten: 'The history of the files from that time has been forgotten, to save storage.',
    },
    by: { person: 'by you', thread: 'by another thread' },
    more: (n: number) => `and ${count(n, 'more file', 'more files')}`,
    move: 'Change the files',
    stay: 'Leave the files as they are',
    outcomes: {
      moved: 'The files are as they were at that message.',
      same: 'The files are already as they were at that message.',
      unknown:
        'The files stay as they are: how they were at that message is not known here, because the thread came with a backup.',
    },
    busyNow: 'A tool call is active on these files. Try again when it is done.',
  },
  workspaces: {
    unnamed: 'New workspace',
    options: (name: string) => `Workspace: ${name}`,
    newThread: 'New thread with these files',
    rename: 'Rename workspace',
    nameLabel: 'Name',
    importFiles: 'Put files or a zip in…',
    importFolder: 'Put a folder in…',
    joinFolder: 'Sync with a local folder…',
    exportZip: 'Download all as zip',
    remove: 'Delete this workspace…',
    removeDetail: 'Its files and their history are deleted for good. No thread works on them.',
    choice: 'Files of the new thread',
    own: 'A workspace of its own',
  },
  settings: {
    title: 'Settings',
    open: 'Settings',
    appearance: 'Appearance',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    language: 'Language',
    chat: 'Chat',
    defaultModel: 'Model of new threads',
    serverDefault: 'The server’s default',
    defaultSystemPrompt: 'Default system prompt',
    permissions: 'Permissions',
    permissionsHelp:
      'What tools can do without asking. Changing a setting takes effect in every thread at once and revokes earlier approvals of that kind.',
    policies: { allow: 'Allow', ask: 'Ask', deny: 'Deny' },
    effectNames: { read: 'Read', write: 'Write', execute: 'Execute' },
    permissionLabel: (toolset: string, effect: string) => `${toolset}: ${effect}`,
    grants: 'Approvals',
    noGrants: 'You haven’t approved any tools yet.',
    grantAlways: (kind: string, tool: string, thread: string) =>
      `${kind}, in every thread. Allowed for ${tool} in “${thread}”`,
    grantAlwaysHere: (kind: string) => `${kind}, in every thread. Allowed in these settings`,
    grantThread: (tool: string, thread: string) => `${tool}, in “${thread}”`,
    grantTime: (date: string) => `on ${date}`,
    revoke: 'Revoke',
    revokeLabel: (grant: string) => `Revoke: ${grant}`,
    data: 'Your data',
    dataHelp: 'Threads, settings and files live only in this browser. Save a backup now and then.',
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
    restoreSettings: 'Theme, language, model and system prompt are taken from the backup.',
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
    unknown: 'This browser does not say how much it stores.',
    persistent: 'The browser keeps all of it until you delete it.',
    notPersistent: 'The browser may clear all of it when the disk runs short. Save a backup now and then.',
    age: 'History to forget',
    ages: (days: number) => (days === 0 ? 'All history' : `History older than ${count(days, 'day', 'days')}`),
    forget: 'Forget it',
    forgetHelp:
      'Files stay as they are. What they were before that time cannot be shown or brought back any more, in no workspace.',
    forgotten: (freed: string) => `Done. ${freed} are free again, and the browser may give back more later.`,
    nearlyFull: 'This browser’s storage is nearly full',
    nearlyFullDetail:
      'When it is full, nothing more can be saved; what is saved stays. Forget old history, or delete threads and files you do not need.',
  },
  backup: {
    reminder: 'Your threads and files live only in this browser. Save a backup now and then.',
    save: 'Save a backup',
    later: 'Later',
  },
  palette: {
    title: 'Command palette',
    placeholder: 'Type a command, thread, file or model…',
    nothing: 'Nothing matches.',
    commands: 'Commands',
    threads: 'Threads',
    files: 'Files',
    models: 'Models',
    quickOpen: 'Open a file',
    quickOpenPlaceholder: 'Type a part of a file’s path…',
    chooseModel: 'Choose a model',
    chooseModelPlaceholder: 'Type a part of a model’s name…',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    palette: 'Command palette',
    send: 'Send the message',
    newLine: 'New line',
    stop: 'Close, or stop from the message box',
    quickOpen: 'Open a file',
    searchFiles: 'Search in files',
    toggleThreads: 'Show or hide threads',
    toggleWorkspace: 'Show or hide the workspace',
    previousMessage: 'Previous message',
    nextMessage: 'Next message',
    help: 'This help',
    save: 'Save the open file',
    leaveEditor: 'Let the Tab key leave the editor, or not',
  },
  inspector: {
    title: 'What the model got',
    step: (n: number) => `Step ${n}`,
    verified: 'Rebuilt by the same function; its hash equals the one stored when it was sent.',
    differs:
      'Rebuilt, but its hash differs from the stored one: something it is made of (a tool, a fragment, a model’s settings) has changed since.',
    failed: 'The prompt could not be rebuilt.',
    model: 'Model',
    toolCalling: 'Tool calling',
    duration: 'Duration',
    tokens: 'Tokens',
    finishReason: 'Ended by',
    finishReasons: {
      stop: 'the model',
      'tool-calls': 'its calls',
      length: 'the length limit',
      'content-filter': 'the content filter',
    } as Record<string, string>,
    prompt: 'Prompt',
    protocolTokens: 'Tokens of the tool protocol (estimate)',
    tools: (n: number) => `${count(n, 'tool', 'tools')} sent to the provider`,
    roles: { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' } as Record<string, string>,
  },
  time: {
    ms: (ms: number) => `${ms} ms`,
    seconds: (s: number) => `${s.toFixed(1)} s`,
  },
};

export type Messages = typeof en;
