import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve, sep } from 'node:path';
import { messageOf } from '#lib/base/message-of.ts';
import type { ToolCallingMode } from '#lib/messages/message.ts';
import { canPropose } from '#lib/tools/core/can-propose.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { offerToolSearch } from '#lib/tools/tool-search/offer-search.ts';
import { DEMO_MODEL_CONFIG } from '#models/providers/demo.ts';
import { LocalAgent, type LocalAgentOptions } from '../agent.ts';
import { allowInConfig } from '../allow-in-config.ts';
import { LocalFolder } from '../local-folder.ts';
import { type LocalModel, LocalModels } from '../model.ts';
import { type PermissionOptions, Permissions } from '../permissions.ts';
import type { LocalServers } from '../servers/local-servers.ts';
import { openServers } from '../servers/open-servers.ts';
import { SessionFile } from '../session/session-file.ts';
import type { AskAboutConfig } from '../trust/open-config.ts';
import { openTrust } from '../trust/open-trust.ts';
import { RequestRecord } from '../web/request-record.ts';
import type { AskAboutWorkspaceTool } from '../workspace-tools/workspace-tools.ts';
import { diffsOf } from './call-diffs.ts';
import { UsageError } from './exit-codes.ts';
import type { TurnView } from './turn-view.ts';

/** The settings from the command line for any work with a model. */
interface WorkOptions {
  directory: string;
  configFile?: string | undefined;
  /** The file that lists tool servers. */
  mcpFile?: string | undefined;
  apiFiles?: readonly string[] | undefined;
  provider?: string | undefined;
  model?: string | undefined;
  session?: string | undefined;
  maxSteps?: number | undefined;
  isYes: boolean;
  isUnconfined: boolean;
  streams: boolean;
  toolCalling?: ToolCallingMode | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** The opened parts of a conversation with a model over a folder. `close` ends all of them. */
export interface Work {
  folder: LocalFolder;
  session: SessionFile;
  models: LocalModels;
  agent: LocalAgent;
  /** Checks whether any call has been denied so far. */
  wasDenied(): boolean;
  close(): Promise<void>;
}

/** The system prompt of a new session. */
const SYSTEM_PROMPT =
  'You help the user with the files of a folder, in a terminal. Use the tools to look, change and check; keep answers short.';

/** The functions that ask the person a question. Where nobody can be asked, `openWork` gets an object without them. */
export interface Person {
  /** Asks whether a call may run. */
  ask: NonNullable<PermissionOptions['ask']>;
  askAboutWorkspaceTool: AskAboutWorkspaceTool;
  askAboutConfig: AskAboutConfig;
  /** Asks what a running call wants to know. */
  askForm: NonNullable<LocalAgentOptions['askForm']>;
}

/**
 * Opens a folder, a model, a session, and the tool servers, and makes the agent that uses them. `viewOf`: creates the view of
 * the turns. `person`: the functions that ask the person; empty if nobody can be asked. Rejects with errors whose messages are
 * for people.
 */
export async function openWork(
  options: WorkOptions,
  viewOf: (folder: LocalFolder) => TurnView,
  person: Partial<Person>,
): Promise<Work> {
  let view: TurnView | undefined;
  const early: string[] = [];
  const egress = new RequestRecord((request) => view?.onRequest(request));
  const folder = await LocalFolder.open({
    ...options,
    egress,
    askAboutConfig: person.askAboutConfig,
    onNotice: (text) => (view === undefined ? void early.push(text) : view.onNotice(text)),
  });
  offerToolSearch(folder.registry);
  const shown = viewOf(folder);
  view = shown;
  for (const text of early) shown.onNotice(text);
  let servers: LocalServers | undefined;
  try {
    const models = new LocalModels(options.env);
    const found = await models.find({
      model: options.model ?? (options.provider === undefined ? folder.config.model : undefined),
      provider: options.provider,
      toolCalling: options.toolCalling,
    });
    if (found.model.provider === DEMO_MODEL_CONFIG.provider)
      shown.onNotice(
        'No model is configured, so the demo answers, which plays fixed scenes. Set the key of a provider in the environment, such as OPENAI_API_KEY, or list models in models.yaml; docs/CONFIGURATION.md says how.',
      );
    const model: LocalModel = options.streams ? found : { ...found, model: { ...found.model, streams: false } };
    const path = sessionPath(folder, options.session);
    const isNew = !existsSync(path);
    const session = SessionFile.open(path, SYSTEM_PROMPT);
    if (isNew && options.session !== undefined) shown.onNotice(`A new session begins in ${path}.`);
    if (session.dropped > 0)
      shown.onNotice('The last line of the session was cut off when it was written, and was dropped.');
    servers = await openServers({
      folder,
      mcpFile: options.mcpFile,
      env: options.env,
      egress,
      asksForms: person.askForm !== undefined,
      onNotice: (text) => shown.onNotice(text),
    });
    await folder.workspaceTools.load();
    const { ask } = person;
    const permissions = new Permissions({
      config: folder.config,
      isYes: options.isYes,
      ask:
        ask &&
        (async (call, tool, question, signal) => {
          const proposal = canPropose(tool) ? await agent.proposal(call, tool, signal) : undefined;
          return ask(call, tool, { ...question, proposal }, signal);
        }),
      trust: openTrust(folder, servers, { env: options.env, onNotice: (text) => shown.onNotice(text) }),
      allowAlways(tool: Tool, only) {
        try {
          allowInConfig(folder, tool.name, only);
        } catch (error) {
          const reason = messageOf(error);
          shown.onNotice(`It is allowed in this session only: the settings could not be saved. ${reason}`);
        }
      },
    });
    let wasDenied = false;
    const agent = new LocalAgent({
      folder,
      session,
      models,
      model,
      permissions,
      egress,
      askForm: person.askForm,
      maxSteps: options.maxSteps ?? folder.config.limits.steps,
      askAboutWorkspaceTool: person.askAboutWorkspaceTool,
      listener: {
        onChunk: (...chunk) => shown.onChunk(...chunk),
        onRun: (call) => shown.onRun(call),
        onResult(call, result) {
          wasDenied ||= result.type === 'tool-error' && result.code === 'denied';
          shown.onResult(call, result);
          if (folder.host.get(call.toolName)?.effect === 'read' || result.durationMs === undefined) return;
          const changes = folder.journal.ownActionsOf(call.toolCallId).flatMap((action) => action.changes);
          const diffs = diffsOf(folder, changes);
          shown.onDiffs(diffs.slice(0, DIFFS_MAX), Math.max(0, diffs.length - DIFFS_MAX));
        },
      },
    });
    return {
      folder,
      session,
      models,
      agent,
      wasDenied: () => wasDenied,
      async close() {
        session.close();
        await servers?.close();
        await folder.close();
      },
    };
  } catch (error) {
    await servers?.close();
    await folder.close();
    throw error;
  }
}

/** The maximum number of changed files of one call that are shown. */
const DIFFS_MAX = 20;

/**
 * Returns the path of the wanted session. `wanted`: a path, a name in the folder of sessions, or `last` for the session there
 * that was used last; undefined for a new session. Throws `UsageError` for a session that cannot be used, such as one among the
 * files that tools can change.
 */
function sessionPath(folder: LocalFolder, wanted: string | undefined): string {
  const { own } = folder;
  own.create();
  if (wanted === undefined) {
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    return own.at('sessions', `${time}-${randomBytes(3).toString('hex')}.jsonl`);
  }
  if (wanted === 'last') {
    const [newest] = sessionsOf(folder);
    if (newest === undefined)
      throw new UsageError('There is no session in this folder yet. Begin one without --session.');
    return newest;
  }
  const isName = !isAbsolute(wanted) && basename(wanted) === wanted && !/^\.*$/.test(wanted);
  const place = isName ? own.at('sessions', extname(wanted) === '' ? `${wanted}.jsonl` : wanted) : resolve(wanted);
  const isFolder = wanted === '' || /[/\\]$/.test(wanted) || statSync(place, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder) throw new UsageError(`--session ${wanted}: name a file.`);
  if (isName) return place;
  const where = realDirectory(dirname(place));
  if (!isInside(own.root, where) || isInside(own.at('sessions'), where)) {
    if (!existsSync(where)) throw new UsageError(`--session ${wanted}: there is no folder ${where}.`);
    return join(where, basename(place));
  }
  throw new UsageError(
    `--session ${wanted}: tools could change a session that is among the files of the folder. Give its name without a path, so that it is in .roundtrip/sessions, or a path outside of the folder.`,
  );
}

/** Checks whether `inner` is `outer` or below it. */
const isInside = (outer: string, inner: string): boolean => inner === outer || inner.startsWith(`${outer}${sep}`);

/** Returns the path of a directory with all symbolic links resolved, as far as it exists. */
function realDirectory(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  return path === dirname(path) ? path : join(realDirectory(dirname(path)), basename(path));
}

/** Returns the paths of a folder's sessions, which are files with conversations, the one that was used last first. */
export function sessionsOf({ own }: LocalFolder): string[] {
  const folder = own.at('sessions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at)
    .map(({ path }) => path);
}
