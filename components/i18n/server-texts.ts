import { count } from './en.ts';

/** The texts about tool servers in English. They are loaded with the views that show them, not with the page. */
export const serverTexts = {
  title: 'Servers',
  help: 'Connect MCP servers to give the model more tools. The studio asks you before a tool runs, and again if the server changes its description.',
  none: 'No servers.',
  list: 'Tool servers',
  add: 'Add server…',
  import: 'Import…',
  full: (max: number) => `You’ve reached the limit of ${max} servers. Delete one to add another.`,
  /** A server's state on its line. */
  states: {
    off: 'Off',
    idle: 'Not connected yet',
    connecting: 'Connecting…',
    ready: 'Connected',
    failed: 'Not connected',
  },
  summary: (tools: number, tokens: string) =>
    tools === 0 ? 'No tools' : `${count(tools, 'tool', 'tools')}, about ${tokens} tokens per prompt`,
  notOffered: (n: number) => `${count(n, 'item', 'items')} unavailable`,
  isOn: (name: string) => `Use ${name}`,
  edit: (name: string) => `Edit ${name}`,
  /** Of a server that the studio's operator offers. */
  fromStudio: 'From this studio',
  fromStudioHelp: 'The studio’s operator has set up this server. You can turn it off for this browser.',
  details: (name: string) => `Show ${name}`,
  notListed: 'Its tools will appear here once the studio has connected to it.',
  hidesStudioServer: (name: string) =>
    `This studio also offers a server called ${name}. It isn’t used, because yours has the same name.`,
  retry: 'Retry',
  addTitle: 'Add a tool server',
  address: 'Address',
  addressHint: 'https://example.com/mcp',
  moveHelp: 'Your approvals and your login apply only to the old address. At the new one, you’ll be asked again.',
  name: 'Name',
  nameHelp: (tool: string) => `Lowercase letters, digits, and hyphens. Its tools will be called ${tool}.`,
  headers: 'Headers',
  headersHelp:
    'For servers that need a key, such as “Authorization: Bearer …”. Values are encrypted in this browser and sent only to this server.',
  headerName: 'Header name',
  headerValue: 'Header value',
  /** In place of a value that was stored and is not shown. */
  keptValue: 'Unchanged',
  addHeader: 'Add header',
  removeHeader: (name: string) => (name === '' ? 'Remove this header' : `Remove the header ${name}`),
  submit: 'Add',
  /** Faults in the input. */
  faults: {
    address:
      'Enter the address of the server, such as https://example.com/mcp, without a username or password. Outside your own network, it must start with https.',
    name: 'Use 1 to 24 lowercase letters, digits, and hyphens, and begin with a letter or a digit.',
    taken: (name: string) => `There’s already a server called ${name}. Choose another name.`,
    headerName: (name: string) => `“${name}” isn’t a valid header name.`,
    headerOwn: (name: string) => `The studio sets the header ${name} itself. Remove it.`,
    headerAgain: (name: string) => `Enter the value of “${name}” again. The stored one belongs to the old address.`,
    headerValue: (name: string) =>
      `The value of ${name} contains characters that aren’t allowed in a header. Copy it again.`,
    stored: (reason: string) => `Not saved: ${reason}`,
    locked: 'Your keys are locked. Unlock them under “Settings › Models” first.',
  },
  editTitle: (name: string) => `Tool server ${name}`,
  reachedBy: { direct: 'Connects directly from this browser', relay: 'Connects through the studio’s server' },
  eras: { legacy: 'Uses an earlier version of MCP', modern: 'Uses the current version of MCP' },
  tools: 'Tools',
  noTools: 'The server has no tools.',
  /** The content that the server offers for messages: after `/`, and after `@`. */
  prompts: 'Prompts (insert with /)',
  resources: 'Resources (attach with @)',
  destructive: 'Can’t be undone',
  refused: 'Unavailable',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete the server ${name}?`,
  deleteDetail: 'Its headers and your approvals of its tools will also be deleted. Results in your threads are kept.',
  /** The reasons why a server cannot be used; the server's own words follow. */
  problems: {
    unreachable: 'Can’t reach the server. Check the address, and make sure the server is running.',
    'needs-login': 'This server requires you to log in. If you have a key instead, add it as a header.',
    'needs-scope': 'Your login doesn’t have permission for what a tool tried to do. Log in again to grant it.',
    'login-unavailable': 'Your login couldn’t be renewed. Retry later, or log in again.',
    refused: 'The request was rejected.',
    'not-mcp': 'There’s no MCP server at this address. Addresses of MCP servers often end in /mcp.',
    slow: 'The server didn’t respond in time. Retry later.',
    ended: 'The server can’t be used at the moment.',
    failed: 'Connecting failed.',
    locked: 'Your keys are locked. Unlock them under “Settings › Models”, then retry.',
    'secret-gone': 'The values of its headers aren’t in this browser. Enter them again.',
    'not-offered': 'Its tools can’t be used.',
  },
  login: {
    logIn: 'Log in…',
    again: 'Log in again…',
    /** On the line of a server at which the person was logged in. */
    ended: 'Your login to this server is no longer valid. Log in again.',
    title: (name: string) => `Log in to ${name}`,
    finding: 'Finding out where to log in…',
    ready: (host: string) =>
      `You’ll log in at ${host}. The studio never sees your password. It gets a token that is encrypted in this browser and sent only to this server.`,
    scopes: 'The studio asks for these permissions:',
    open: (host: string) => `Continue to ${host}`,
    blocked: 'Your browser blocked the window. Open this link instead:',
    waiting: (host: string) =>
      `Log in at ${host} in the window that opened. The studio will continue automatically. If you closed the window, open it again.`,
    openAgain: 'Open again',
    finishing: 'Logging in…',
    client: (host: string) =>
      `First, register the studio with ${host}: create an app there with this redirect URL, then enter its client ID.`,
    redirect: 'Redirect URL',
    clientId: 'Client ID',
    clientSecret: 'Client secret (optional)',
    useClient: 'Continue',
    otherClient: 'Use another client ID…',
    tryAgain: 'Try again',
    at: (host: string) => `Logged in at ${host}.`,
    logOut: 'Log out',
    /** The reasons why a login failed; details may follow in English. */
    problems: {
      'not-offered': 'The server doesn’t say where to log in. If you have a key for it, add it as a header.',
      'needs-client':
        'The studio isn’t registered with the authorization server. Register it there, then log in with its client ID.',
      untrusted:
        'Not logged in, for your safety: the servers gave invalid or conflicting information about this login. Report this to the people who run them.',
      unreachable: 'Not logged in: a server can’t be reached. Try again later.',
      denied: 'Not logged in: access was denied. To allow it, try again.',
      refused: 'Not logged in: the authorization server rejected the request.',
      expired: 'Not logged in: it took longer than 10 minutes. Try again.',
      ended: 'Your login is no longer valid. Log in again.',
      failed: 'Not logged in: something went wrong. Try again.',
      locked: 'Your keys are locked. Unlock them under “Settings › Models”, then try again.',
      'insecure-page': 'To log in, open the studio over HTTPS or on localhost.',
      removed: 'Not logged in: the server was deleted in the meantime.',
      'not-stored': 'The login couldn’t be stored in this browser.',
    },
  },
  importTitle: 'Import tool servers',
  importHelp: 'Paste the “mcpServers” section of another app’s configuration, as JSON.',
  json: 'JSON',
  importSubmit: 'Import',
  importFaults: {
    'not-json': (detail: string) => `This isn’t valid JSON: ${detail}`,
    'no-servers': 'No servers found. List them under “mcpServers”.',
  },
  imported: (n: number, names: string) =>
    n === 0 ? 'No servers added.' : `${count(n, 'server', 'servers')} added: ${names}.`,
  skipped: 'Not added:',
  skippedReasons: {
    command: (detail: string) => `starts a program (${detail}), which a browser can’t do`,
    'no-url': () => 'has no address',
    'bad-url': (detail: string) => `has an invalid address: ${detail}`,
    'bad-header': (detail: string) => `has a header that can’t be sent: ${detail}`,
    variable: (detail: string) => `uses a variable in a header: ${detail}. Replace it with its value.`,
    known: (detail: string) => `has already been added as ${detail}`,
    sse: (detail: string) => `uses the transport ${detail}, which MCP no longer supports`,
    full: () => 'is over the limit',
  },
  ignored: (keys: string) => `Ignored: ${keys}`,
  importAgain: 'Edit and import again…',
  done: 'Done',
  /** The headings above the definition of a tool that the person is asked about. */
  newTool: 'You haven’t permanently allowed this tool. Its server describes it as follows:',
  before: 'Before:',
  now: 'Now:',
  changedTool: 'The server has changed this tool since you allowed it:',
  isDestructive: 'The server says that this can’t be undone.',
  /** A form by which a server asks something while a call runs. */
  form: {
    label: (server: string) => `Question from ${server}`,
    asks: (server: string) => `${server} asks:`,
    warning: (server: string) =>
      `What you enter goes to ${server}. Never enter passwords, keys, or other secrets. If you reload this page, the call ends.`,
    optional: (label: string) => `${label} (optional)`,
    noChoice: 'No answer',
    submit: 'Submit',
    decline: 'Decline',
    cancel: 'Cancel',
    faults: {
      missing: 'This field is required.',
      'not-number': 'Enter a number.',
      'not-integer': 'Enter a whole number.',
      'not-choice': 'Choose one from the list.',
      email: 'Enter an email address.',
      uri: 'Enter an address, such as https://example.com.',
      date: 'Enter a date, such as 2026-12-31.',
      'date-time': 'Enter a date, time, and time zone, such as 2026-12-31T18:00:00Z.',
      'too-short': (limit: string) => `Enter at least ${limit} ${limit === '1' ? 'character' : 'characters'}.`,
      'too-long': (limit: string) => `Enter at most ${limit} ${limit === '1' ? 'character' : 'characters'}.`,
      'too-small': (limit: string) => `Enter ${limit} or more.`,
      'too-large': (limit: string) => `Enter ${limit} or less.`,
      'too-few': (limit: string) => `Choose at least ${limit}.`,
      'too-many': (limit: string) => `Choose at most ${limit}.`,
    },
  },
  /** A resource or a prompt that is put into a message. */
  content: {
    reading: (name: string, server: string) => `Reading ${name} from ${server}…`,
    failed: (name: string, server: string, reason: string) => `Couldn’t read ${name} from ${server}. ${reason}`,
    failedHelp: 'Check the server under “Settings › Tools › Servers”, then try again.',
    empty: (name: string, server: string) => `${server} returned nothing for ${name} that can be added to a message.`,
    left: (name: string, reason: string) => `${name}: ${reason}`,
    promptTitle: (name: string) => `Prompt: ${name}`,
    promptHelp: (server: string) => `${server} turns this into a message. You can read and edit it before you send it.`,
    insert: 'Insert',
    /** Opens the form again, with what was filled in. */
    change: 'Change…',
    templateTitle: (name: string) => `Resource: ${name}`,
    /** `address`: the address of the resources, with the names of what has to be filled in. */
    templateHelp: (server: string, address: string) =>
      `${server} has a resource for each value that you enter. Address pattern: ${address}`,
    attach: 'Attach',
    missing: (name: string) => `Fill in ${name}.`,
  },
  /** The headings above a request of an HTTP API that the person is asked about. */
  newRequest: 'You haven’t permanently allowed this request. It is described as follows:',
  changedRequest: 'This request has changed since you allowed it:',
  deletes: 'This request deletes data. This can’t be undone.',
};

export type ServerTexts = typeof serverTexts;
