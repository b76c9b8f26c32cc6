import { count } from './en.ts';

/** The texts about HTTP APIs in English. They are loaded with the views that show them, not with the page. */
export const apiTexts = {
  title: 'HTTP APIs',
  help: 'Let the model send requests that you describe in YAML or import from an OpenAPI document. The studio asks you before a request runs, and again if its description changes.',
  none: 'No APIs.',
  list: 'HTTP APIs',
  add: 'Add API…',
  import: 'Import OpenAPI…',
  full: (max: number) => `You’ve reached the limit of ${max} APIs. Delete one to add another.`,
  off: 'Off',
  summary: (tools: number, tokens: string) => `${count(tools, 'tool', 'tools')}, about ${tokens} tokens per prompt`,
  notOffered: (n: number) => `${count(n, 'tool', 'tools')} unavailable`,
  isOn: (name: string) => `Use ${name}`,
  edit: (name: string) => `Edit ${name}`,
  /** The reasons why an API cannot be called. */
  problems: {
    locked: 'Your keys are locked. Unlock them under “Settings › Models”.',
    secretGone: (names: string) => `Its secrets aren’t in this browser. Enter them again: ${names}.`,
    notOffered: (reason: string) => `Its tools can’t be used. ${reason}`,
  },
  addTitle: 'Add an HTTP API',
  editTitle: (name: string) => `HTTP API ${name}`,
  yaml: 'Description (YAML)',
  yamlHelp:
    'Include a base URL, headers, and a request for each tool. Refer to secrets by name, such as {{token}}, and enter their values separately.',
  openFile: 'Open file…',
  fromWorkspace: 'From the workspace',
  example: 'Insert example',
  submit: 'Add',
  reading: 'Reading…',
  secrets: 'Secrets',
  secretsHelp: 'Values are encrypted in this browser and sent only to this API. They won’t be shown again.',
  /** In place of a value that was stored and is not shown. */
  keptValue: 'Unchanged',
  enterSecrets: 'This description uses secrets. Enter their values.',
  refused: 'Unavailable',
  /** Faults in the input. */
  faults: {
    line: (line: string) => `Line ${line}:`,
    taken: (name: string) => `There’s already an API called ${name}. Choose another name.`,
    renamed: (name: string) => `You can’t rename an API. Keep the name ${name}, or add another API.`,
    name: 'Use 1 to 24 lowercase letters, digits, and hyphens, and begin with a letter or a digit.',
    address:
      'Enter the base URL, such as https://example.com/api, without a username, password, or query. Outside your own network, it must start with https.',
    secretValue: (name: string) =>
      `The value of ${name} contains characters that aren’t allowed in a header. Copy it again.`,
    secretsAgain: 'The base URL now points to another server. Enter the secrets again.',
    nothingChosen: 'Select at least one operation.',
    file: (reason: string) => `The file can’t be read: ${reason}`,
    fileSize: (max: string) => `The file is too large. It can have at most ${max} characters.`,
  },
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete the API ${name}?`,
  deleteDetail: 'Its secrets and your approvals of its tools will also be deleted. Results in your threads are kept.',
  importTitle: 'Import operations from an OpenAPI document',
  importHelp: 'OpenAPI 3.0 or 3.1, in JSON or YAML. Each operation that you select becomes a tool.',
  document: 'Document',
  read: 'Continue',
  name: 'Name',
  nameHelp: (tool: string) => `Lowercase letters, digits, and hyphens. Its tools will be called ${tool}.`,
  baseUrl: 'Base URL',
  baseUrlHint: 'https://example.com/api',
  operations: 'Operations',
  search: 'Search operations',
  chosen: (n: number, all: number) => `${n} of ${all} selected`,
  more: (n: number) => `${n} more. Search to see them.`,
  left: (n: number) => `The document is over the limit, so ${count(n, 'operation was', 'operations were')} left out.`,
  noMatch: 'No matching operations.',
  chooseShown: 'Select all shown',
  chooseNone: 'Select none',
  tooMany: (max: number) => `An API can have at most ${max} tools. Select fewer operations.`,
  deprecated: 'deprecated',
};

export type ApiTexts = typeof apiTexts;
