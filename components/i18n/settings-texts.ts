import type { PathPolicy } from '#lib/tools/core/path-rule.ts';
import type { IdleReason, PatternProblem } from '#lib/tools/core/path-rules.ts';
import { count } from './en.ts';

/** The texts of the settings in English. They come with the views that show them and not with the page. */
export const settingsTexts = {
  title: 'Settings',
  sections: {
    general: 'General',
    models: 'Models',
    permissions: 'Permissions',
    tools: 'Tools',
    editor: 'Editor',
    shortcuts: 'Shortcuts',
    data: 'Data',
    about: 'About',
  },
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  language: 'Language',
  defaultModels: 'Default models',
  defaultModel: 'Model for new threads',
  serverDefault: 'Server default',
  titleModel: 'Thread titles',
  noTitleModel: 'The first words of the thread',
  summaryModel: 'Summaries of long threads',
  noSummaryModel: 'The thread’s own model',
  defaultSystemPrompt: 'Default system prompt',
  toolsHelp: 'What new threads begin with. Change it for one thread below its message box.',
  shortcutsHelp: 'Shortcuts with a button can be changed. The others are fixed.',
  searchShortcuts: 'Search shortcuts',
  noKeys: 'No keys',
  change: 'Change',
  changeKeys: (name: string) => `Change the keys of “${name}”`,
  removeKeys: (name: string) => `Remove the keys of “${name}”`,
  resetKeys: (name: string) => `Reset the keys of “${name}”`,
  pressKeys: 'Press keys…',
  keysUsed: (keys: string, name: string) =>
    `${keys} is already used for “${name}”. Press other keys, or change that one first.`,
  keysKept: (keys: string) => `Browsers keep ${keys} for themselves. Press other keys.`,
  aboutDetail: 'A chat studio in the browser: the agent runs on the server, and its tools run here, on your files.',
  version: 'Version',
  license: 'License',
  changes: 'Changes',
  whatsNew: 'What’s new',
  manual: 'Manual',
  fontSize: 'Font size',
  pixels: (n: number) => `${n} px`,
  wraps: 'Wrap long lines',
  tabWidth: 'Tab width',
  tabWidthHelp: 'Also used to indent files that have no indentation yet.',
  columns: (n: number) => `${n} columns`,
  formatsOnSave: 'Format on save',
  formatsOnSaveHelp:
    'When you press Ctrl+S or ⌘S: TypeScript, JavaScript, JSON, CSS, and HTML. Files that the model writes are not formatted.',
  permissions: 'Permissions',
  permissionsHelp:
    'What tools can do without asking. Changing a setting takes effect in every thread at once and revokes earlier approvals of that kind.',
  policies: { allow: 'Allow', review: 'Review', ask: 'Ask', deny: 'Deny' },
  effectNames: { read: 'Read', write: 'Write', execute: 'Run code' },
  callTools: 'Call tools',
  sendRequests: 'Send requests',
  permissionLabel: (toolset: string, effect: string) => `${toolset}: ${effect}`,
  grants: 'Approvals',
  noGrants: 'No approvals.',
  grantAlways: (kind: string, tool: string, thread: string) =>
    `${kind}, in every thread. Approved when ${tool} asked in “${thread}”`,
  grantAlwaysHere: (kind: string) => `${kind}, in every thread. Approved in these settings`,
  grantHost: (host: string) => `Requests to ${host}, in every thread`,
  grantHostThread: (host: string, thread: string) => `Requests to ${host}, in “${thread}”`,
  grantThread: (tool: string, thread: string) => `${tool}, in “${thread}”`,
  grantTime: (date: string) => `on ${date}`,
  revoke: 'Revoke',
  revokeLabel: (grant: string) => `Revoke: ${grant}`,
  network: {
    title: 'Network activity',
    help: 'Requests that tools and code have sent, and those that were refused. Only hosts are recorded: no paths, queries, or contents. Deleting a thread deletes its requests; those of temporary threads last as long as the page.',
    none: 'No requests.',
    noMatch: 'No request matches.',
    filter: 'Filter by host',
    onlyRefused: 'Only refused and failed requests',
    clear: 'Clear',
    clearTitle: 'Clear the network activity?',
    clearDetail: 'The records of all threads are deleted. Hosts that you have allowed stay allowed.',
    failed: (reason: string) => `Not cleared: ${reason}`,
    columns: { time: 'Time', host: 'Host', outcome: 'Outcome', size: 'Size', call: 'Call' },
    sent: (size: string) => `${size} sent`,
    received: (size: string) => `${size} received`,
    /** Why a request was sent, or not. */
    decisions: {
      asked: 'You were asked',
      thread: 'Allowed in the thread',
      always: 'Always allowed',
      policy: 'Allowed by your settings',
      denied: 'Denied',
    },
    status: (code: number) => `Status ${code}`,
    noAnswer: 'No answer',
    call: (tool: string, thread: string) => `${tool}, in “${thread}”`,
    deletedThread: 'Unknown thread',
    more: (n: number) => `Show ${n} more`,
    shown: (shown: number, all: number) => `${shown} of ${count(all, 'request', 'requests')}`,
  },
  rules: {
    title: 'Rules for files and folders',
    help: 'What tools may do with particular paths, such as “.env*”, “/src/**”, or “**/secrets/**”. Deny comes before Ask, and Ask before Allow. Commands and code can’t reach what a rule denies or asks about. You can still open everything yourself.',
    none: 'No rules.',
    full: (max: number) => `There can be at most ${max} rules.`,
    rule: (pattern: string) => `Rule for ${pattern}`,
    pattern: 'Pattern',
    policy: (pattern: string) => `What to do for ${pattern}`,
    remove: (pattern: string) => `Delete the rule for ${pattern}`,
    newPattern: 'Pattern of a new rule',
    add: 'Add rule',
    unusable: 'This pattern can’t be used, so the rule protects nothing. Change it.',
    problem: (problem: PatternProblem) =>
      ({
        empty: 'Enter a pattern.',
        negated: 'A pattern can’t begin with “!”. To leave something out, write for example “.env!(.example)”.',
        'control-character': 'A pattern can’t contain line breaks or other control characters.',
        repetition:
          'A repeated group, such as “*(…)” or “+(…)”, can’t contain “*”, “+”, braces, or another group, and its alternatives must begin with different characters.',
        syntax: `This pattern isn’t complete: ${problem.type === 'syntax' ? problem.detail : ''}.`,
      })[problem.type],
    noEffect: 'This rule has no effect.',
    idle: (reason: IdleReason, policies: Record<PathPolicy, string>) => {
      if (reason.type === 'no-effects') return 'Choose Read, Write, or both.';
      if (reason.type === 'covered')
        return `The rule “${reason.by.pattern}” (${policies[reason.by.policy]}) already applies to everything it could match.`;
      return {
        'empty-segment': 'No path contains “//”.',
        dots: 'No path contains “.” or “..” as a name: paths are resolved before they are matched.',
        'trailing-slash': 'No path ends with “/”. Without it, the pattern matches the folder and everything in it.',
        'long-name': 'No name has more than 255 bytes.',
      }[reason.because];
    },
    reading: 'Looking through past calls…',
    matched: (n: number) => `Would have matched: ${count(n, 'past call', 'past calls')}`,
    calls: 'Past calls',
    call: (tool: string, path: string, thread: string) => `${tool}: ${path}, in “${thread}”`,
    more: (n: number) => `${n} more`,
  },
  data: 'Your data',
  dataHelp: 'Threads, settings, and files are stored only in this browser. Save a backup regularly.',
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
  restoredConnections: (n: number) =>
    `Restored ${count(n, 'connection', 'connections')} without keys. To use them, edit them under “Models”: enter their keys, and choose their models.`,
  restored: (threads: number, files: number) =>
    `Restored ${count(threads, 'thread', 'threads')} and ${count(files, 'file', 'files')}.`,
  importFailed: (reason: string) => `Nothing was imported: ${reason}`,
  restoreFailed: (reason: string) =>
    `Not everything was restored: ${reason}. Restore the backup again to add what’s missing.`,
  imported: 'The thread was imported.',
};

export type SettingsTexts = typeof settingsTexts;
