// More than 400 lines: all texts of views that are loaded later, in one language, so that a translator finds them in one place.

import type { ToolVerb } from '#lib/tools/core/presentation.ts';
import type { ToolEffect } from '#lib/tools/core/spec.ts';
import type { CallOrigin } from '#lib/tools/execution/call-origin.ts';
import { count, formatBytes, shortened } from './en.ts';

/**
 * The texts in English of most views that are loaded later. They are loaded with the first of these views (`lazyView`), not
 * with the page.
 */
export const laterTexts = {
  insecure: {
    title: 'Open the studio over HTTPS or on localhost',
    detail:
      'This page was opened over plain HTTP from another computer, so the browser turns off features that the studio needs to coordinate its tabs. Open http://localhost on the computer that runs the studio, or put an HTTPS proxy in front of it.',
  },
  noStorage: {
    title: 'The studio can’t store data in this browser',
    detail:
      'The studio keeps threads and files in this browser’s database (IndexedDB), which can’t be opened. This usually happens in private windows or when site data is blocked. You can continue, but you’ll lose everything when you close or reload this tab, so save a backup first. To keep your work, allow site data for this address or open the studio in a regular window.',
  },
  backup: {
    reminder: 'Your threads and files are stored only in this browser. Save a backup regularly.',
    save: 'Save a backup',
    later: 'Not now',
  },
  /** The window that shows pictures and files. */
  viewer: {
    smaller: 'Zoom out',
    larger: 'Zoom in',
    fit: 'Fit to window',
    percent: (factor: number) => `${Math.round(factor * 100)}%`,
    previous: 'Previous file',
    next: 'Next file',
    position: (n: number, of: number) => `${n} of ${of}`,
    download: 'Download',
    file: 'File',
    picture: 'Picture',
    broken: 'This picture is damaged, or its format can’t be shown.',
    enlarge: (name: string) => (name === '' ? 'Enlarge picture' : `Enlarge picture: ${name}`),
  },
  attachedDocuments: {
    reading: 'Reading…',
    noText: 'No text. It may be a scan; the model gets only its name and place.',
    sizes: {
      page: (n: number) => count(n, 'page', 'pages'),
      sheet: (n: number) => count(n, 'sheet', 'sheets'),
      slide: (n: number) => count(n, 'slide', 'slides'),
      chapter: (n: number) => count(n, 'chapter', 'chapters'),
      cell: (n: number) => count(n, 'cell', 'cells'),
    },
    problems: {
      encrypted: 'Encrypted, so the model can’t read it. Attach a copy without a password.',
      protected: 'Protected against copying, so the model can’t read it.',
      damaged: 'Damaged, so the model can’t read it. Save it again where it was made.',
      empty: 'Empty.',
      'old-format': 'An old Office format, which the model can’t read. Save it as DOCX, XLSX, or PPTX.',
      'too-large': 'Unpacks to more than can be read. Attach a part of it.',
      'not-loaded': 'The reader could not be loaded. Check the connection, and attach the file again.',
      'too-complex': 'Built in a way that isn’t safe to read. Save it again where it was made.',
      'too-slow': 'Takes too long to be read. Attach a part of it.',
      'no-such-part': 'There are no such pages.',
    },
  },
  refusedFiles: {
    'document-too-large': (name: string, limit: string) =>
      `${name} is larger than ${limit}. Attach some of its pages, or add it to the workspace to keep it.`,
    'too-large': (name: string, limit: string) => `${name} is larger than ${limit}. Add it to the workspace instead.`,
    'not-text': (name: string) => `${name} is neither an image nor text, so the model can’t read it.`,
    empty: (name: string) => `${name} is empty.`,
    damaged: (name: string) => `${name} is damaged, or isn’t a picture.`,
    'unknown-picture': (name: string) =>
      `${name} is a kind of picture that models and this browser can’t read. Convert it to JPEG or PNG.`,
    unreadable: (name: string) => `${name} couldn’t be read. If it’s a folder, add it to the workspace instead.`,
  },
  waiting: {
    queued: 'Queued until the current answer is done',
    notSentYet: 'Not sent because the previous answer didn’t finish',
    sendNow: 'Send now',
    takeBack: 'Don’t send',
    outOfSight: (n: number) => `${count(n, 'tool call', 'tool calls')} waiting for you`,
    show: 'Show',
  },
  contextUse: {
    used: (sent: string, budget: string) => `Context: ${sent} / ${budget}`,
    leftOut: (tokens: string) => `, ${tokens} left out`,
    detail: (budget: string, size: string) =>
      `Used by the last prompt. Prompts can use ${budget} of this model’s ${size} tokens; the rest is reserved for the answer.`,
    label: 'Context used',
    unknown: (model: string) =>
      `The context window of ${model} is unknown, so the studio assumes 8,000 tokens. Set it in the model’s settings to use more.`,
  },
  systemPrompt: {
    help: 'Instructions for the model in this thread.',
    useDefault: 'Use default',
  },
  messages: {
    unlockKeys: 'Unlock keys…',
    replaceKey: 'Enter the key…',
    list: 'Messages',
    damaged: 'This message can’t be shown',
    damagedDetail: 'Its stored data is damaged. The rest of the thread isn’t affected.',
    copyStored: 'Copy stored data',
    you: 'You',
    assistant: 'Assistant',
    edit: 'Edit',
    editLabel: 'Edit message',
    sendEdit: 'Send',
    regenerate: 'Regenerate',
    more: 'More actions',
    regenerateWith: 'Try again with another model',
    tryNow: 'Try now',
    useOtherModel: 'Use another model',
    restoreFiles: 'Restore files to this point',
    inspect: 'View prompt',
    previousBranch: 'Previous version',
    nextBranch: 'Next version',
    branch: (n: number, of: number) => `Version ${n} of ${of}`,
    showAll: 'Show all',
    showLess: 'Show less',
    stopped: 'Stopped.',
    resume: 'Continue',
    /** The message that is sent for an answer that reached the length limit. */
    goOn: 'Continue where you left off.',
    putIntoMessage: 'Insert into message',
    thinking: 'Thinking…',
    thoughts: 'Thoughts',
    thought: (seconds: number) => (seconds < 1 ? 'Thought briefly' : `Thought for ${Math.round(seconds)} s`),
    waitingForModel: 'Waiting for the model…',
    compacting: 'Summarizing earlier messages…',
    offline: 'You’re offline. The answer will continue when you’re back online.',
    reconnecting: 'The studio’s server isn’t responding. Reconnecting…',
    retrying: (seconds: number, isRateLimit: boolean) =>
      `${isRateLimit ? 'Rate limit reached.' : 'The model’s server returned an error.'} Retrying in ${seconds} s…`,
    tokens: (input: string, output: string) => `${input} in, ${output} out`,
    image: (name: string) => `Image ${name}`,
    attachment: (name: string) => `Attached file ${name}`,
  },
  /** The ways in which a model gets its tools. */
  toolCalling: {
    label: 'Tool calling',
    auto: (effective: string) => `Auto (${effective})`,
    modes: { auto: 'Auto', native: 'Native', prompted: 'Prompted' },
    help: {
      auto: 'Native if the model supports it, otherwise prompted',
      native: 'Uses the provider’s own tool calling',
      prompted: 'Describes the tools in the prompt and reads calls from the model’s text',
    },
    refused: 'Native tools don’t work with this model, so the studio uses the prompt instead',
    sources: {
      observed: 'Observed by the studio',
      file: 'Set in models.yaml',
      person: 'Your choice for this model',
      served: 'Reported by its server',
      examined: 'Recommended by the model check',
      learned: 'Reported by its server',
      profile: 'Default for its model family',
    },
    retryNative: 'Auto (try native again)',
    retryNativeHelp: 'Forgets the earlier rejection and asks the model’s server again',
  },
  /** Reasons why an answer could not be completed, by the problem's code. Problems of this browser are in `errors`. */
  problems: {
    'no-models': 'No model is available. Connect one under “Settings › Models”, then retry.',
    'keys-locked': 'Your keys are locked. Unlock them, then retry.',
    'key-needed': 'The key for this connection isn’t in this browser. Enter it under “Settings › Models”, then retry.',
    'address-refused':
      'The studio’s server isn’t allowed to connect to this model’s address. Choose another model, or ask the operator to allow the address.',
    'personal-keys-off': 'The operator of this studio has turned off personal connections. Choose another model.',
    'no-model': 'This model is no longer available. Choose another one, then retry.',
    'key-missing':
      'This model needs an API key that the server doesn’t have. Set it and restart the studio, or choose another model.',
    'key-refused':
      'The provider rejected the API key. Replace it in the connection or on the server, or choose another model.',
    'model-not-found': 'The provider doesn’t have this model. Choose another one, or check its name.',
    'no-chat-template':
      'This model can’t chat: its server has no chat template for it. Choose an “instruct” or “chat” model, or start the server with a template.',
    'question-too-long':
      'Your message is longer than this model’s context. Shorten it, save it as a file in the workspace so that the model can read it in parts, or choose a model with a larger context.',
    'context-too-small':
      'The system prompt and the tools fill this model’s context, so there is no room for a message. Turn tools off, shorten the system prompt, or choose a model with a larger context.',
    'access-refused':
      'The provider denied this request, possibly because of your region. See its message below, or choose another model.',
    'no-credit':
      'You’ve run out of credit with this provider. Add credit to your account there, or choose another model.',
    'rate-limited': 'You’ve reached the provider’s rate limit. Wait a moment, then retry.',
    'context-too-long':
      'This thread is too long for the model, even with older parts left out. Start a new thread, shorten the message, or choose a model with a larger context.',
    'endpoint-unreachable':
      'Can’t reach the model’s server, or it closed the connection. Check that it’s running and that its address is correct, then retry.',
    'endpoint-timeout': 'The model’s server took too long to respond. Retry, or choose another model.',
    'endpoint-error': 'The model’s server returned an error. Retry, or choose another model.',
    'stream-broken':
      'The connection to the model was lost partway through the answer. Everything received so far is kept. Retry to continue from the last completed step.',
    'empty-reply': 'The model sent an empty answer twice. Retry, or choose another model.',
    'reply-too-long':
      'The model’s answer reached the length limit and was stopped. Retry, choose another model, or raise the output limit on the server.',
    'tools-refused': 'The model doesn’t support tools in this mode. Set “Tool calling” to Prompted, then retry.',
    interrupted: 'This answer wasn’t finished when the thread was saved. Retry to continue it.',
    'run-lost':
      'The studio’s server lost this answer again and again. Everything received so far is kept. Retry to continue.',
    'message-too-long': 'The message is too long to send. Edit it to make it shorter, or attach the text as a file.',
    'too-large': 'The message and its attachments are too large to send. Remove something, then try again.',
    'outdated-page': 'The studio has been updated since this page was opened. Reload the page, then retry.',
    'catalogue-needed': 'The server doesn’t know this page’s tools. Reload the page, then retry.',
    'invalid-catalogue':
      'The server rejected this page’s tools. Reload the page, then retry. If it happens again, turn some tools off.',
  } as Record<string, string>,
  mirror: {
    notice: 'This thread is active in another tab, so it’s read-only here.',
    continueHere: 'Continue here',
  },
  editor: {
    none: 'Open a file from the tree or from a tool call.',
    noFiles: 'This workspace is empty. Ask the model for a file, or add your own from the workspace’s menu.',
    tabs: 'Open files',
    closeTab: (name: string) => `Close ${name}`,
    unsaved: 'unsaved',
    label: (path: string) => `${path}. Press Ctrl+M to toggle whether Tab moves focus.`,
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
      `${path} changed while you were editing it. Your version was saved to ${beside}.`,
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
      review: (name: string) => `${name} (review)`,
    },
    openCurrent: 'Open file',
    diffLabel: (path: string) => `Changes to ${path}`,
    binaryDiff: 'This file isn’t text, so its changes can’t be shown.',
    brokenImage: 'This image can’t be shown.',
    live: 'The model is writing this file. It isn’t in the workspace yet.',
    liveComplete: 'The model has finished this file. It isn’t in the workspace yet.',
    liveLabel: (path: string) => `${path}, as the model writes it`,
    useTheirs: 'Use the other version',
    keepMine: 'Keep my edits',
    saveFailed: (reason: string) => `Not saved: ${reason}`,
  },
  /** The results of restoring files. */
  movedFiles: {
    moved: 'Files restored to their state at that message.',
    same: 'The files already match that message.',
    unknown: 'The files weren’t changed. This thread came from a backup, so their state at that message isn’t known.',
  },
  console: {
    log: 'Console output',
    prompt: 'Run JavaScript in this thread’s sandbox',
    run: 'Run',
    stop: 'Stop',
    tryTool: 'Try a tool from this workspace',
    copy: 'Copy all',
    clear: 'Clear console',
    reset: 'Reset session',
    empty: 'Nothing has run in this thread’s sandbox since you opened this page.',
    began: 'New session started.',
    by: { model: 'Model', person: 'You' },
    request: (host: string) => `Your code wants to send a request to ${host}.`,
    requestOfModel:
      'The model’s code has run in this session and may still be running. If you don’t recognize this address, deny the request and reset the session.',
    allowRequest: 'Allow for this run',
    denyRequest: 'Deny',
    guarded:
      'The model’s code has run in this session and may still be running, so your own code can’t use files protected by your rules, either. Reset the session to use them.',
    refused: (target: string, directive: string, line: number | undefined) =>
      `Blocked: ${target} (${directive}${line === undefined ? '' : `, line ${line}`})`,
  },
  tools: {
    group: (name: string) => `Tool call: ${name}`,
    states: {
      writing: 'writing…',
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
    /** Phrases for what a call does, is doing, and has done, by the tool's verb. The target follows. */
    verbs: {
      'run-code': { do: 'Run code', doing: 'Running code', done: 'Ran code' },
      'run-command': { do: 'Run', doing: 'Running', done: 'Ran' },
      'open-page': { do: 'Open page', doing: 'Opening page', done: 'Opened page' },
      fetch: { do: 'Fetch', doing: 'Fetching', done: 'Fetched' },
      read: { do: 'Read', doing: 'Reading', done: 'Read' },
      list: { do: 'List', doing: 'Listing', done: 'Listed' },
      search: { do: 'Search', doing: 'Searching', done: 'Searched' },
      check: { do: 'Check', doing: 'Checking', done: 'Checked' },
      write: { do: 'Write', doing: 'Writing', done: 'Wrote' },
      edit: { do: 'Edit', doing: 'Editing', done: 'Edited' },
      patch: { do: 'Patch', doing: 'Patching', done: 'Patched' },
      'make-directory': { do: 'Create folder', doing: 'Creating folder', done: 'Created folder' },
      move: { do: 'Move', doing: 'Moving', done: 'Moved' },
      copy: { do: 'Copy', doing: 'Copying', done: 'Copied' },
      delete: { do: 'Delete', doing: 'Deleting', done: 'Deleted' },
    } as Record<Exclude<ToolVerb, 'call'>, Record<'do' | 'doing' | 'done', string>>,
    repairRound: (round: number, of: number): string =>
      round < of ? 'Page error (the model will retry)' : 'Page error',
    exitCode: (code: number) => `Exit code ${code}`,
    arguments: 'Arguments',
    rawCall: 'Raw call',
    result: 'Result',
    resultImage: 'Image in the result',
    value: 'Value',
    nothing: 'None',
    openFile: 'Open file',
    copyResult: 'Copy result',
    runAgain: 'Run again',
    resultNow: 'Current result',
    options: (name: string) => `Options for ${name}`,
    readFolded: (n: number) => `Read ${count(n, 'file or folder', 'files and folders')}`,
    /** The work of several calls, by the tool's verb. `things`: the different files, pages, or queries. */
    foldedVerbs: {
      'run-code': (times) => (times === 1 ? 'Ran code' : `Ran code ${times} times`),
      'run-command': (times) => `Ran ${count(times, 'command', 'commands')}`,
      'open-page': (times) => (times === 1 ? 'Opened page' : `Opened page ${times} times`),
      fetch: (_, things) => `Fetched ${count(things, 'page', 'pages')}`,
      read: (_, things) => `Read ${count(things, 'file', 'files')}`,
      list: (_, things) => `Listed ${count(things, 'folder', 'folders')}`,
      search: (times) => (times === 1 ? 'Searched' : `Searched ${times} times`),
      check: (_, things) => `Checked ${count(things, 'file', 'files')}`,
      write: (_, things) => `Wrote ${count(things, 'file', 'files')}`,
      edit: (_, things) => `Edited ${count(things, 'file', 'files')}`,
      patch: (times) => (times === 1 ? 'Applied a patch' : `Applied ${times} patches`),
      'make-directory': (_, things) => `Created ${count(things, 'folder', 'folders')}`,
      move: (_, things) => `Moved ${count(things, 'file', 'files')}`,
      copy: (_, things) => `Copied ${count(things, 'file', 'files')}`,
      delete: (_, things) => `Deleted ${count(things, 'file', 'files')}`,
    } as Record<Exclude<ToolVerb, 'call'>, (times: number, things: number) => string>,
    /** Calls of a tool that has no verb. */
    foldedTool: (name: string, times: number) => (times === 1 ? name : `${name} × ${times}`),
    callsFolded: (done: readonly string[]) => shortened(done, (more) => `${more} more`).join(', '),
    failedFolded: (n: number) => `${n} failed`,
    ruleAsks: (path: string, pattern: string) => `Your rule “${pattern}” requires your approval for ${path}.`,
    progress: (done: string, of: string) => `${done} of ${of}`,
    allowOnce: 'Allow once',
    review: 'Review changes…',
    continueReview: 'Continue review…',
    allowThread: 'Allow in this thread',
    alwaysAllow: 'Always allow',
    deny: 'Deny',
    threadScope: (tool: string) => `This tool (“${tool}”) can run in this thread without asking again.`,
    /** The hosts that a call sends requests to. */
    onOwnNetwork: (host: string) => `${host} (on your network)`,
    reachedHosts: (hosts: string) => `This call sends a request to ${hosts}.`,
    threadHosts: (hosts: string) => `Requests to ${hosts} can be sent in this thread without asking again.`,
    alwaysHosts: (hosts: string) => `Requests to ${hosts} can be sent in every thread without asking.`,
    /** `name`: of the toolset. */
    alwaysScope: (toolset: string, effect: ToolEffect, name: string) =>
      `${
        (
          {
            'files:execute': 'Commands run',
            'files:write': 'Files are changed',
            'files:read': 'Files are read',
            'browser:execute': 'Code runs',
          } as Record<string, string>
        )[`${toolset}:${effect}`] ?? `${name} tools run`
      } without asking, in all threads.`,
    alwaysProject: (effect: ToolEffect) =>
      `Tools from project files that you have allowed can ${effect === 'read' ? 'read files' : 'run code'} in every thread without asking, as long as their files stay the same.`,
    alwaysServer: (server: string) =>
      `Tools of ${server} that you have allowed can run in every thread without asking, as long as their descriptions stay the same.`,
    canvas: (width: number, height: number) => `Canvas, ${width} by ${height} pixels`,
    drawing: 'Rendered element',
    markup: 'Markup',
    moreEntries: (count: number) => `${count} more`,
    sandboxHasNoDom: 'This browser can’t give the sandbox its own process, so the code ran in a worker without a DOM.',
    sandboxSharesHost:
      'The sandbox shares the studio’s host, so heavy code can slow down this page. “Configuration” in the documentation explains how to give it a separate host.',
    /** Sentences about what the model wants to do, by the tool's verb. */
    asks: {
      call: (tool) => `The model wants to call ${tool}.`,
      'run-code': () => 'The model wants to run this code in a sandbox in your browser.',
      'run-command': (cwd) => `The model wants to run this command on your workspace files, in ${cwd}.`,
      'open-page': (path) =>
        path === ''
          ? 'The model wants to open a page in the preview and run its scripts.'
          : `The model wants to open ${path} in the preview and run its scripts.`,
      fetch: (address) => `The model wants to fetch ${address} from the web.`,
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
    denyWithNote: 'Deny with a note…',
    note: 'Note to the model. Press Enter to deny with it. It’s also sent if you allow.',
    denied: 'The user denied this call.',
    deniedWith: (reason: string) => `The user denied this call and said: ${reason}`,
    origin: (origin: CallOrigin) => {
      if (origin.type === 'shown')
        return 'The model may only be quoting this call, because its answer continues after it. Allow it only if you want it to run.';
      const advice = 'Someone may have put it there for the model to repeat. Allow it only if you want it to run.';
      if (origin.in.type === 'result')
        return `This call appears word for word in what ${origin.in.toolName} returned. ${advice}`;
      if (origin.in.type === 'attachment')
        return `This call appears word for word in the attached file ${origin.in.name}. ${advice}`;
      if (origin.in.type === 'description')
        return `This call appears word for word in the description of the tool ${origin.in.toolName}. ${advice}`;
      return `This call appears word for word in one of the messages you sent. ${advice}`;
    },
    originExcerpt: 'Where it appears',
    toModel: 'Sent to the model:',
  },
  files: {
    tree: 'Files',
    empty: 'No files yet.',
    emptyHint: 'Ask the model to create some, drop files or a zip here, or create one yourself.',
    opening: 'Opening files…',
    notOpened: 'This thread’s files couldn’t be opened. No files were lost.',
    waitsFor: (tabs: readonly string[], isOlder: boolean) => {
      if (isOlder)
        return 'Another tab with an older version of the studio keeps the files open. Close that tab to continue.';
      const titles = tabs.map((title) => `“${title}”`).join(', ');
      const tab = titles === '' ? 'Another tab' : `The tab ${titles}`;
      return `${tab} isn’t responding and keeps the files open. Close that tab to continue.`;
    },
    views: { tree: 'Files', search: 'Search in files', timeline: 'Timeline' },
    newName: (name: string) => `New name for ${name}`,
    moveTo: 'Move to…',
    copyPath: 'Copy path',
    copyContents: 'Copy contents',
    notCopied: 'The browser doesn’t allow it. Allow this page to use the clipboard.',
    notText: 'It isn’t a text file.',
    download: 'Download',
    downloadZip: 'Download as zip',
    compare: 'Compare with version before last message',
    comparedWithCheckpoint: 'Changes since your last message',
    importHere: 'Import files here…',
    importTitle: 'Import files',
    importing: 'Reading files…',
    importExisting: (existing: number, total: number) =>
      `${existing.toLocaleString('en')} of ${count(total, 'file', 'files')} already ${existing === 1 ? 'exists' : 'exist'}:`,
    imported: (n: number) => `${count(n, 'file was', 'files were')} imported.`,
    notImported: (n: number) => `${count(n, 'file wasn’t', 'files weren’t')} imported:`,
    importProblems: {
      encrypted: 'is encrypted',
      damaged: 'is damaged',
      'unknown-compression': 'uses an unsupported compression method',
      unreadable: 'can’t be read',
      'absolute-path': 'has an absolute path',
      'path-out': 'points outside the folder',
      'bad-path': 'has a path that isn’t valid here',
      'long-name': 'has a name longer than 255 bytes',
      taken: 'has a name that’s already in use',
      'too-large': 'doesn’t fit: up to 500 MB can be imported at a time',
    },
    systemFiles: (n: number) => `${count(n, 'macOS system file was', 'macOS system files were')} left out.`,
    moreFiles: (n: number) => `and ${n.toLocaleString('en')} more`,
    importSkip: 'Keep existing',
    importReplace: 'Replace',
    refused: (reason: string) => `Import failed: ${reason}. Nothing was changed.`,
    archive: {
      broken: ({ detail }: { detail: string }) => `the zip file is damaged (${detail})`,
      empty: () => 'the zip file is empty',
      'too-many': ({ limit }: { limit: number }) => `the zip file contains more than ${limit} files and folders`,
      'too-large': ({ limit }: { limit: number }) => `the zip file is larger than ${limit} MB`,
      'too-large-unpacked': ({ limit }: { limit: number }) => `the zip file unpacks to more than ${limit} MB`,
      'bad-path': ({ path }: { path: string }) => `the zip file contains an invalid path: ${path}`,
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
    moveTitle: 'Move',
    newThread: 'New thread with these files',
    renameWorkspace: 'Rename workspace',
    workspaceName: 'Name',
    importFiles: 'Import files or a zip…',
    exportZip: 'Download all as zip',
    zipTitle: 'Download as zip',
    unportable: (n: number) =>
      `The zip was downloaded. Windows doesn’t allow ${n === 1 ? 'this name' : 'these names'}:`,
    importFolder: 'Import a folder…',
    joinFolder: 'Sync with a local folder…',
    deleteWorkspace: 'Delete workspace…',
    deleteDetail: 'Its files and their history will be permanently deleted. No thread uses them.',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteFile: 'The file will be removed from the workspace. You can restore it from the timeline.',
    deleteFolder:
      'The folder will be removed from the workspace along with everything in it. You can restore it from the timeline.',
    failed: (reason: string, path: string) => `That didn’t work${path && ` (${path})`}: ${reason}`,
    noName: 'Invalid name. It can’t be empty, “.”, or “..”, and it can’t contain a slash.',
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
  fileSearch: {
    pattern: 'Search in files',
    patternHint: 'Search',
    glob: 'Files to include',
    globHint: 'Files to include, e.g. *.ts',
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
  moves: {
    titles: {
      others: 'Changes that will be undone',
      busy: 'These files are in use',
      forgotten: 'Files can’t be restored that far back',
    },
    details: {
      others:
        'Your files will be restored to that point. This undoes everything this thread has changed since, as well as the changes below, made by you or another thread. Everything stays in the timeline, so you can return to the current version.',
      busy: 'Files can’t be restored while a tool call is using them. Wait until it finishes, or stop it.',
      forgotten: 'The file history from that time was deleted to save space.',
    },
    by: { person: 'by you', thread: 'by another thread' },
    more: (n: number) => `and ${count(n, 'more file', 'more files')}`,
    move: 'Restore files',
    stay: 'Keep current files',
    busyNow: 'A tool call is using these files. Try again when it’s done.',
  },
  folder: {
    joinTitle: 'Sync these files with a folder on this computer',
    joinDetail:
      'Files that exist on only one side are copied to the other. If a file exists on both sides with different contents, the folder’s version wins; the workspace’s version stays in the timeline. After that, changes sync both ways while the studio is open. Folders named node_modules and .git are skipped, and so are files that could change how Git or the studio’s command line behaves.',
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
      move: 'The files here were restored to an earlier point, but the folder still has the newer ones. Resume to copy the restored files to the folder.',
      locked: 'The browser asks for permission again on each visit.',
      incomplete: 'Everything else is up to date. The studio keeps trying to sync these files.',
    },
    reasons: {
      unreadable: (message: string) => `Can’t be read from the folder: ${message}`,
      unwritable: (message: string) => `Can’t be copied: ${message}`,
      kind: 'One side has a file and the other a folder with this name. Rename one of them.',
      name: (existing: string) => `The disk treats this name and “${existing}” as the same. Rename one of them.`,
      changing: 'Another program keeps changing it.',
      protected: 'It could change how Git or the studio’s command line behaves, so it isn’t copied.',
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
  palette: {
    title: 'Command palette',
    placeholder: 'Search everything: commands, threads, files, text, models…',
    nothing: 'No results.',
    commands: 'Commands',
    threads: 'Threads',
    files: 'Files',
    recentModels: 'Recently used',
    nativeTools: 'Native tool calling',
    promptedTools: 'Tools described in the prompt',
    vision: 'Reads images',
    context: 'Context window, in tokens',
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
    stop: 'Close, or stop the answer from the message box',
    quickOpen: 'Open file',
    findInThread: 'Find in thread',
    searchFiles: 'Search in files',
    toggleThreads: 'Show or hide threads',
    toggleWorkspace: 'Show or hide the workspace',
    focusThreads: 'Go to the threads',
    focusChat: 'Go to the message box',
    focusFiles: 'Go to the files',
    focusSide: 'Go to the editor, preview, or console',
    nextPane: 'Next pane',
    previousPane: 'Previous pane',
    previousMessage: 'Previous message',
    nextMessage: 'Next message',
    previousQuestion: 'Previous question',
    nextQuestion: 'Next question',
    help: 'Keyboard shortcuts',
    save: 'Save file',
    leaveEditor: 'Toggle whether Tab moves focus',
  },
  time: {
    ms: (ms: number) => `${ms} ms`,
    seconds: (s: number) => `${s.toFixed(1)} s`,
  },
};

export type LaterTexts = typeof laterTexts;
