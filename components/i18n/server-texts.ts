import { count } from './en.ts';

/** The texts about tool servers in English. They come with the views that show them and not with the page. */
export const serverTexts = {
  title: 'Servers',
  help: 'Tool servers that speak MCP. Their tools ask before they run, and ask again when a server describes one differently.',
  none: 'No servers.',
  list: 'Tool servers',
  add: 'Add server…',
  import: 'Import…',
  full: (max: number) => `There can be at most ${max} servers.`,
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
  notOffered: (n: number) => `${count(n, 'entry isn’t', 'entries aren’t')} offered`,
  isOn: (name: string) => `Use ${name}`,
  edit: (name: string) => `Edit ${name}`,
  /** Of a server that the studio's operator offers. */
  fromStudio: 'From this studio',
  fromStudioHelp: 'The studio’s operator has set up this server. You can turn it off for this browser.',
  details: (name: string) => `Show ${name}`,
  notListed: 'Its tools are shown once it has been connected to.',
  hidesStudioServer: (name: string) =>
    `This studio also offers a server called ${name}. It isn’t used, because yours has this name.`,
  retry: 'Retry',
  addTitle: 'Add a tool server',
  address: 'Address',
  addressHint: 'https://example.com/mcp',
  moveHelp: 'What you have allowed and your login belong to the old address. At the new one, its tools ask again.',
  name: 'Name',
  nameHelp: (tool: string) => `Lowercase letters, digits, and hyphens. Its tools will be called ${tool}.`,
  headers: 'Headers',
  headersHelp:
    'For servers that need a key, such as “Authorization: Bearer …”. Values are encrypted in this browser, and go only to this server.',
  headerName: 'Header name',
  headerValue: 'Header value',
  /** In place of a value that was stored and is not shown. */
  keptValue: 'Unchanged',
  addHeader: 'Add header',
  removeHeader: (name: string) => (name === '' ? 'Remove this header' : `Remove the header ${name}`),
  submit: 'Add',
  /** What is wrong with what was typed. */
  faults: {
    address:
      'Enter the address of the server, such as https://example.com/mcp, without a user name or a password. Outside your own network, it must begin with https.',
    name: 'Use 1 to 24 lowercase letters, digits, and hyphens, and begin with a letter or a digit.',
    taken: (name: string) => `There already is a server called ${name}. Choose another name.`,
    headerName: (name: string) => `“${name}” isn’t a valid header name.`,
    headerOwn: (name: string) => `The studio sets the header ${name} itself. Remove it.`,
    headerAgain: (name: string) => `Enter the value of “${name}” again. The stored one belongs to the old address.`,
    headerValue: (name: string) => `The value of ${name} has characters that a header can’t contain. Copy it again.`,
    stored: (reason: string) => `Not saved: ${reason}`,
    locked: 'Your keys are locked. Unlock them under “Settings › Models” first.',
  },
  editTitle: (name: string) => `Tool server ${name}`,
  reachedBy: { direct: 'Reached directly from this browser', relay: 'Reached through the studio’s server' },
  eras: { legacy: 'Speaks an earlier version of MCP', modern: 'Speaks the current version of MCP' },
  tools: 'Tools',
  noTools: 'The server has no tools.',
  /** What it offers for messages: after `/`, and after `@`. */
  prompts: 'Prompts, called with /',
  resources: 'Resources, attached with @',
  destructive: 'Can’t be undone',
  refused: 'Not offered',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete the server ${name}?`,
  deleteDetail: 'Its headers and your approvals of its tools are deleted, too. Threads keep what its tools returned.',
  /** Why a server cannot be used; the server's own words follow. */
  problems: {
    unreachable: 'The server can’t be reached. Check the address, and that the server is running.',
    'needs-login': 'The server wants you to log in. If you have a key for it instead, add it as a header.',
    'needs-scope': 'Your login doesn’t permit what a tool wanted to do. Log in again to permit more.',
    'login-unavailable': 'Your login couldn’t be renewed. Retry later, or log in again.',
    refused: 'The request was refused.',
    'not-mcp': 'There is no MCP server at this address. Many are at an address that ends in /mcp.',
    slow: 'The server didn’t answer in time.',
    ended: 'The server can’t be used at the moment.',
    failed: 'Connecting failed.',
    locked: 'Your keys are locked. Unlock them under “Settings › Models”, then retry.',
    'secret-gone': 'The values of its headers aren’t in this browser. Enter them again.',
    'not-offered': 'Its tools can’t be offered.',
  },
  login: {
    logIn: 'Log in…',
    again: 'Log in again…',
    /** On the line of a server at which the person was logged in. */
    ended: 'Your login at this server has ended. Log in again.',
    title: (name: string) => `Log in to ${name}`,
    finding: 'Finding out where to log in…',
    ready: (host: string) =>
      `You log in at ${host}. The studio doesn’t see your password. It gets a token, which is encrypted in this browser, and goes only to this server.`,
    scopes: 'The studio asks for these permissions:',
    open: (host: string) => `Continue to ${host}`,
    blocked: 'Your browser blocked the window. Open this link instead:',
    waiting: (host: string) =>
      `Log in at ${host} in the window that opened. The studio then continues by itself. If you closed the window, open it again.`,
    openAgain: 'Open again',
    finishing: 'Logging in…',
    client: (host: string) =>
      `${host} has to know the studio first. Register an app there with this redirect address, and enter the client ID that you get.`,
    redirect: 'Redirect address',
    clientId: 'Client ID',
    clientSecret: 'Client secret, if you got one',
    useClient: 'Continue',
    otherClient: 'Use another client ID…',
    tryAgain: 'Try again',
    at: (host: string) => `Logged in at ${host}.`,
    logOut: 'Log out',
    /** Why a login failed; what happened may follow in English. */
    problems: {
      'not-offered': 'The server doesn’t say where to log in. If you have a key for it, add it as a header.',
      'needs-client': 'The authorization server doesn’t know the studio.',
      untrusted:
        'Not logged in, for your safety: what the servers say about this login isn’t right. Tell whoever runs them.',
      unreachable: 'Not logged in: a server can’t be reached. Try again later.',
      denied: 'Not logged in: access was denied. Try again to decide otherwise.',
      refused: 'Not logged in: the authorization server refused.',
      expired: 'Not logged in: it took longer than 10 minutes. Try again.',
      ended: 'The login has ended. Log in again.',
      failed: 'Not logged in: something went wrong. Try again.',
      locked: 'Your keys are locked. Unlock them under “Settings › Models”, then try again.',
      'insecure-page': 'Logging in needs a studio at an https address or at localhost.',
      removed: 'Not logged in: the server was removed meanwhile.',
      'not-stored': 'The login couldn’t be stored in this browser.',
    },
  },
  importTitle: 'Import tool servers',
  importHelp: 'Paste the “mcpServers” of another program, as JSON.',
  json: 'JSON',
  importSubmit: 'Import',
  importFaults: {
    'not-json': (detail: string) => `This isn’t valid JSON: ${detail}`,
    'no-servers': 'There are no servers in it. They are expected in “mcpServers”.',
  },
  imported: (n: number, names: string) =>
    n === 0 ? 'No servers added.' : `${count(n, 'server', 'servers')} added: ${names}.`,
  skipped: 'Not added:',
  skippedReasons: {
    command: (detail: string) => `starts a program (${detail}), which a browser can’t do`,
    'no-url': () => 'has no address',
    'bad-url': (detail: string) => `has an invalid address: ${detail}`,
    'bad-header': (detail: string) => `has a header that can’t be sent: ${detail}`,
    variable: (detail: string) => `has a variable in a header: ${detail}. Put its value there.`,
    known: (detail: string) => `is already there, as ${detail}`,
    sse: (detail: string) => `uses the transport ${detail}, which MCP no longer supports`,
    full: () => 'is beyond the limit',
  },
  ignored: (keys: string) => `Ignored: ${keys}`,
  importAgain: 'Change and import again…',
  done: 'Done',
  /** Above the question of a call. */
  newTool: 'You haven’t permanently allowed this tool. Its server describes it as follows:',
  before: 'Before:',
  now: 'Now:',
  changedTool: 'The server has changed this tool since you allowed it:',
  isDestructive: 'The server says that this can’t be undone.',
  /** A form by which a server asks something while a call runs. */
  form: {
    label: (server: string) => `Question of the server ${server}`,
    asks: (server: string) => `The server ${server} asks:`,
    warning: (server: string) =>
      `What you enter goes to ${server}. Never enter passwords, keys, or other secrets. If this page is reloaded, the call ends.`,
    optional: (label: string) => `${label} (optional)`,
    noChoice: 'No answer',
    submit: 'Submit',
    decline: 'Decline',
    cancel: 'Cancel',
    faults: {
      missing: 'Fill this in.',
      'not-number': 'Enter a number.',
      'not-integer': 'Enter a whole number.',
      'not-choice': 'Choose one of the list.',
      email: 'Enter an email address.',
      uri: 'Enter an address, such as https://example.com.',
      date: 'Enter a date, such as 2026-12-31.',
      'date-time': 'Enter a date with its time and time zone, such as 2026-12-31T18:00:00Z.',
      'too-short': (limit: string) => `Enter at least ${limit} characters.`,
      'too-long': (limit: string) => `Enter at most ${limit} characters.`,
      'too-small': (limit: string) => `Enter ${limit} or more.`,
      'too-large': (limit: string) => `Enter ${limit} or less.`,
      'too-few': (limit: string) => `Choose at least ${limit}.`,
      'too-many': (limit: string) => `Choose at most ${limit}.`,
    },
  },
  /** A resource or a prompt that is put into a message. */
  content: {
    reading: (name: string, server: string) => `Reading ${name} from ${server}…`,
    failed: (name: string, server: string, reason: string) => `${name} could not be read from ${server}. ${reason}`,
    failedHelp: 'Check the server under “Settings › Tools › Servers”, then try again.',
    empty: (name: string, server: string) => `${server} sent nothing for ${name} that can be put into a message.`,
    left: (name: string, reason: string) => `${name}: ${reason}`,
    promptTitle: (name: string) => `Prompt ${name}`,
    promptHelp: (server: string) =>
      `The server ${server} writes a message of this. You can read and change it before you send it.`,
    insert: 'Insert',
    /** Opens the form again, with what was filled in. */
    change: 'Change…',
    templateTitle: (name: string) => `Resource ${name}`,
    /** `address`: the address of the resources, with the names of what has to be filled in. */
    templateHelp: (server: string, address: string) =>
      `The server ${server} has a resource for each value. Its address: ${address}`,
    attach: 'Attach',
    missing: (name: string) => `Fill in ${name}.`,
  },
  /** The same about a request of an HTTP API. */
  newRequest: 'You haven’t permanently allowed this request. It is described as follows:',
  changedRequest: 'This request has changed since you allowed it:',
  deletes: 'This request deletes something, which can’t be undone.',
};

export type ServerTexts = typeof serverTexts;
