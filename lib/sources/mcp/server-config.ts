import * as z from 'zod';
import { messageOf } from '#lib/base/message-of.ts';

/**
 * Matches the name of a tool server or an HTTP API, with which the names of its tools begin. It has no `_`, so two different
 * names never give a tool the same name.
 */
export const SOURCE_NAME = /^[a-z0-9][a-z0-9-]{0,23}$/;

/** Matches hosts of this machine and of its network, which cannot be reached from the internet. */
export const OWN_HOST =
  /^(localhost\.?|[^.:[]+|.+\.(local|internal|localhost)|127(\.\d+){3}|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|169\.254(\.\d+){2}|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+){2}|\[::1\]|\[f[cd][\da-f]{2}:[\da-f:]+\]|\[fe[89ab][\da-f]:[\da-f:]+\]|\[::ffff:(7f|a)[\da-f]{2}:[\da-f]+\])$/i;

/**
 * The schema of the address of a tool server or an HTTP API. It has no user name or password, which belong in a header. Over
 * the internet, it must use https, because headers hold secrets.
 */
export const sourceUrlSchema = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url))
  .refine((url) => URL.canParse(url) && (new URL(url).protocol === 'https:' || OWN_HOST.test(new URL(url).hostname)));

/**
 * The schema of the settings of a tool server that a person has added. They do not contain secrets: neither the values of
 * headers nor tokens.
 */
export const serverConfigSchema = z.object({
  name: z.string().regex(SOURCE_NAME),
  url: sourceUrlSchema,
  isOn: z.boolean(),
  /** The names of the headers that go with each request; their values are secrets. */
  headers: z.array(z.string()).catch([]),
  /** The issuer of the tokens if the person has logged in to the server; otherwise undefined. */
  login: z.string().optional().catch(undefined),
});

/**
 * The settings by which a tool server is reached. For one that the person has added, this is what is stored; for one of the
 * studio's operator, it is made from what the studio's server says.
 */
export type ServerConfig = z.infer<typeof serverConfigSchema>;

/** Returns the name that a tool of a tool server or an HTTP API has in the registry, by which the model calls it. */
export const toolNameOf = (serverName: string, tool: string): string => `${serverName}_${tool}`;

/** Makes a name for a server from the wanted one, as `SOURCE_NAME` allows it and different from all known names. */
export function nameFor(wanted: string, known: ReadonlySet<string>): string {
  const plain =
    wanted
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 20)
      .replace(/-+$/, '') || 'server';
  for (let count = 1; ; count++) {
    const name = count === 1 ? plain : `${plain}-${count}`;
    if (!known.has(name)) return name;
  }
}

/** Matches the name of a header. */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Matches the value of a header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]{0,8000}$/;

/** Headers that the connection itself sets. */
const OWN_HEADERS = /^(accept|content-type|content-length|host|connection|cookie|origin|mcp-.*|proxy-.*|sec-.*)$/i;

/**
 * Finds the problem with a header that a person has given: its `name` or its `value` is not valid, or the studio sets the
 * header itself (`own`). Undefined if there is no problem.
 */
export function headerProblem(name: string, value: string): 'name' | 'own' | 'value' | undefined {
  if (!HEADER_NAME.test(name)) return 'name';
  if (OWN_HEADERS.test(name)) return 'own';
  return HEADER_VALUE.test(value) ? undefined : 'value';
}

/** A server that was read from the settings of another program, and can be added. */
interface ImportedServer {
  name: string;
  url: string;
  isOn: boolean;
  headers: Record<string, string>;
}

/** A server in the settings of another program that cannot be added. `known`: one with its address is there already. */
interface SkippedServer {
  name: string;
  reason: 'command' | 'no-url' | 'bad-url' | 'bad-header' | 'variable' | 'sse' | 'known';
  /** The part that the reason is about, such as the name of a header; for `known`, the name of the server that is there. */
  detail: string;
}

/** The result of reading a list of servers. */
interface ServerImport {
  servers: ImportedServer[];
  skipped: SkippedServer[];
  /** Keys in the list that the studio does not use, such as `github.timeout`. */
  ignored: string[];
}

/** Thrown by `readServerImport` for a text that is not JSON, or has no list of servers. */
export class ServerImportError extends Error {
  override readonly name = 'ServerImportError';
  readonly code: 'not-json' | 'no-servers';
  /** The parser's message if the text is not JSON; otherwise empty. */
  readonly detail: string;

  constructor(code: 'not-json' | 'no-servers', detail = '') {
    super(`${code} ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}

const recordSchema = z.record(z.string(), z.unknown());

/** The properties of an imported server that the studio uses. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...['url', 'serverUrl', 'httpUrl', 'type', 'transport', 'headers', 'disabled', 'enabled'],
]);

/** Keys under which programs keep their list of servers. */
const LIST_KEYS: ReadonlySet<string> = new Set(['mcpServers', 'servers', 'mcp']);

/** The types that other programs give to a server that is reached by HTTP. */
const HTTP_TYPES: ReadonlySet<unknown> = new Set([undefined, 'http', 'streamable-http', 'streamableHttp']);

/**
 * Reads a list of servers, such as `mcpServers` or `servers`, from the JSON of another program's settings. Returns the servers
 * that can be added, those that cannot, with the reasons (`skipped`), and the keys that the studio does not use (`ignored`),
 * but adds nothing. `known`: the servers that the person already has. Throws `ServerImportError` if the text is not JSON, or
 * has no such list.
 */
export function readServerImport(text: string, known: readonly Pick<ServerConfig, 'name' | 'url'>[]): ServerImport {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ServerImportError('not-json', messageOf(error));
  }
  const top = recordSchema.safeParse(json).data;
  const nested = recordSchema.safeParse(
    top?.mcpServers ?? top?.servers ?? recordSchema.safeParse(top?.mcp).data?.servers,
  );
  if (top === undefined || !nested.success || Object.keys(nested.data).length === 0)
    throw new ServerImportError('no-servers');
  const names = new Set(known.map(({ name }) => name));
  const byUrl = new Map(known.map(({ name, url }) => [url, name]));
  const result: ServerImport = { servers: [], skipped: [], ignored: [] };
  for (const key of Object.keys(top)) if (!LIST_KEYS.has(key)) result.ignored.push(key);
  for (const [title, described] of Object.entries(nested.data)) {
    const entry = recordSchema.safeParse(described).data ?? {};
    const read = readEntry(title, entry);
    if ('reason' in read) {
      result.skipped.push(read);
      continue;
    }
    const same = byUrl.get(read.url);
    if (same !== undefined) {
      result.skipped.push({ name: title, reason: 'known', detail: same });
      continue;
    }
    const name = nameFor(title, names);
    names.add(name);
    byUrl.set(read.url, name);
    result.servers.push({ ...read, name });
    for (const key of Object.keys(entry)) if (!KNOWN_KEYS.has(key)) result.ignored.push(`${title}.${key}`);
  }
  return result;
}

function readEntry(name: string, entry: Record<string, unknown>): ImportedServer | SkippedServer {
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  const type = entry.type ?? entry.transport;
  if (typeof entry.command === 'string') return { name, reason: 'command', detail: entry.command };
  if (typeof url !== 'string') return { name, reason: 'no-url', detail: '' };
  if (!HTTP_TYPES.has(type)) return { name, reason: 'sse', detail: String(type) };
  if (!sourceUrlSchema.safeParse(url).success) return { name, reason: 'bad-url', detail: url };
  const headers = recordSchema.safeParse(entry.headers ?? {}).data ?? {};
  for (const [header, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || headerProblem(header, value) !== undefined)
      return { name, reason: 'bad-header', detail: header };
    // Other programs put the values of their environment there.
    const variable = /\$\{[^}]+\}/.exec(value)?.[0];
    if (variable !== undefined) return { name, reason: 'variable', detail: variable };
  }
  const isOn = entry.disabled !== true && entry.enabled !== false;
  return { name, url, isOn, headers: headers as Record<string, string> };
}
