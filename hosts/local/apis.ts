import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { ConfigError } from '#config/errors.ts';
import { StepError } from '#lib/agent/problems.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { type RestApi, secretsOf } from '#lib/sources/http-api/api.ts';
import { ApiFileError, readApiFile } from '#lib/sources/http-api/api-file.ts';
import { REST_LIMITS } from '#lib/sources/http-api/limits.ts';
import { offeredApiTools } from '#lib/sources/http-api/offered-tools.ts';
import { RestHost } from '#lib/sources/http-api/rest-host.ts';
import type { CallRestTool } from '#lib/sources/http-api/rest-tool.ts';
import { RelayError } from '#lib/sources/mcp/relay-fetch.ts';
import { SourceList } from '#lib/sources/source-list.ts';
import type { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { EgressRecord } from '#lib/tools/egress/egress.ts';
import { HTTP_API } from '#lib/tools/toolset-names.ts';
import { accessOf } from '#lib/vfs/folder-access.ts';
import { checkedFetch } from '#net/checked-fetch.ts';
import { refusalNotice } from './servers/refusal-notice.ts';
import type { DescribedTools } from './trust/pinned-tools.ts';

/** The files that describe the HTTP APIs of a process, and what it takes to offer and call their tools. */
interface ApiSources {
  /** Paths of the files that describe APIs: those that the command line names, and the person's own. */
  files: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** The folder that is worked on: real and absolute. Tools can change most of its files. */
  root: string;
  /** Shows a notice to the person. */
  onNotice(text: string): void;
  /** The record of the requests that calls send; nothing is recorded if absent. */
  egress?: Pick<EgressRecord, 'sent'> | undefined;
}

/**
 * Returns the name of the environment variable that holds a secret of an API. Its prefix keeps descriptions from asking for
 * other keys. No two APIs share a variable, because the name of a secret begins with a letter.
 */
const variableOf = (api: string, secret: string): string =>
  `ROUNDTRIP_SECRET_${api.replaceAll('-', '__')}_${secret}`.toUpperCase();

/**
 * Adds the tools of the person's HTTP APIs to the registry. Resolves with an object that looks up the current descriptions of
 * these tools. Rejects with `ConfigError` for a description of an API that cannot be used. `sources`: the files that describe
 * the APIs, and the environment with the secrets that calls need.
 */
export async function addApis(registry: ToolRegistry, sources: ApiSources): Promise<DescribedTools> {
  const { env, egress, onNotice } = sources;
  const list = new SourceList({ registry, kind: HTTP_API, end: () => undefined });
  for (const api of await readApis(sources)) {
    const { name } = api;
    const used = list.begin(name, (offer) => ({ offer }));
    if (used === undefined) continue;
    const offered = await list.offer(name, used, () => offeredApiTools(used.offer, api, callerOf(api, env, egress)));
    if (offered === undefined) continue;
    if (offered.refused.length > 0) onNotice(refusalNotice(`The API “${name}”`, offered.refused));
    if (offered.problem !== undefined) onNotice(`The tools of “${name}” are not offered. ${offered.problem}`);
  }
  return {
    describe(tool) {
      const found = list.find(tool);
      return found && { definition: found.definition, identity: found.source };
    },
  };
}

async function readApis({ files, env, root, onNotice }: ApiSources): Promise<RestApi[]> {
  const apis: RestApi[] = [];
  const names = new Map<string, string>();
  for (const file of new Set(files.map((one) => resolve(one)))) {
    const api = await readApi(file);
    const other = names.get(api.name);
    if (other !== undefined)
      throw new ConfigError(`${file}: “${api.name}” is also the name of ${other}; give one of them another name`);
    names.set(api.name, file);
    const missing = secretsOf(api)
      .map((secret) => variableOf(api.name, secret))
      .filter((name) => !env[name]);
    if (missing.length > 0) onNotice(`${api.name} cannot be called: set ${missing.join(', ')} in the environment.`);
    const place = realpathSync(file);
    if (secretsOf(api).length > 0 && isBelow(root, place) && accessOf(place.slice(root.length)) === 'open')
      onNotice(
        `${file} is among the files that tools can change, and decides where your secrets go. Keep it elsewhere.`,
      );
    apis.push(api);
  }
  return apis;
}

const isBelow = (folder: string, path: string): boolean => path.startsWith(`${folder}${sep}`);

async function readApi(file: string): Promise<RestApi> {
  let source: string;
  try {
    if (statSync(file).size > REST_LIMITS.source * 4) throw new Error('it is too large');
    source = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${file}: cannot be read (${messageOf(error)})`);
  }
  try {
    return await readApiFile(source, file);
  } catch (error) {
    throw error instanceof ApiFileError ? new ConfigError(error.message) : error;
  }
}

function callerOf(api: RestApi, env: ApiSources['env'], egress: ApiSources['egress']): CallRestTool {
  const host = new RestHost([{ name: 'direct', fetch: ownFetch() }]);
  return async (definition, args, { abortSignal, toolCallId }) => {
    const tool = api.tools.find(({ name }) => name === definition.name);
    const names = secretsOf(api);
    const secrets = Object.fromEntries(names.map((name) => [name, env[variableOf(api.name, name)]?.trim() ?? '']));
    const missing = names.filter((name) => secrets[name] === '').map((name) => variableOf(api.name, name));
    if (tool === undefined || missing.length > 0) {
      const message = `Not run. The user has to set ${missing.join(', ')} in the environment.`;
      return { type: 'failure', code: 'failed', message };
    }
    if (abortSignal.aborted) return { type: 'failure', code: 'aborted', message: 'Not run: it was stopped first.' };
    const id = randomUUID();
    const stop = () => host.cancel(id);
    abortSignal.addEventListener('abort', stop, { once: true });
    try {
      return await host.call(id, { api, tool, args, secrets }, (request) => egress?.sent(toolCallId, request));
    } finally {
      abortSignal.removeEventListener('abort', stop);
    }
  };
}

/**
 * Makes a `fetch` for addresses that the person has named: also those of their own network, but no metadata service. It rejects
 * with `RelayError` for an address that it refuses.
 */
function ownFetch(): typeof fetch {
  const request = checkedFetch({ allowsPrivate: true, allowedHosts: new Set(), ownPort: 0 });
  return async (input, init) => {
    try {
      return await request(input, init);
    } catch (error) {
      throw error instanceof StepError ? new RelayError(error.problem.code, error.problem.detail) : error;
    }
  };
}
