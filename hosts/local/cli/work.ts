import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { ToolCallingMode } from '#lib/messages/message.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { LocalAgent } from '../agent.ts';
import { allowInConfig } from '../allow-in-config.ts';
import { LocalFolder } from '../local-folder.ts';
import { type LocalModel, LocalModels } from '../model.ts';
import { type PermissionOptions, Permissions } from '../permissions.ts';
import { SessionFile } from '../session/session-file.ts';
import { diffsOf } from './call-diffs.ts';
import { UsageError } from './exit-codes.ts';
import type { TurnView } from './turn-view.ts';

/** What the command line says about the work, wherever it is done. */
export interface WorkOptions {
  directory: string;
  configFile?: string | undefined;
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

/** A conversation over a folder, ready to go on. */
export interface Work {
  folder: LocalFolder;
  session: SessionFile;
  models: LocalModels;
  agent: LocalAgent;
  /** Whether a call was denied. */
  wasDenied(): boolean;
  close(): Promise<void>;
}

/** What the model is told at the beginning of a session. */
const SYSTEM_PROMPT =
  'You help the user with the files of a folder, in a terminal. Use the tools to look, change and check; keep answers short.';

/** Opens a folder, a model and a session. `viewOf`: shows the turns. Rejects with errors whose messages are for people. */
export async function openWork(
  options: WorkOptions,
  viewOf: (folder: LocalFolder) => TurnView,
  ask: PermissionOptions['ask'],
): Promise<Work> {
  let view: TurnView | undefined;
  const folder = await LocalFolder.open({ ...options, onNotice: (text) => view?.onNotice(text) });
  const shown = viewOf(folder);
  view = shown;
  try {
    const models = new LocalModels(options.env);
    const found = await models.find({
      model: options.model ?? (options.provider === undefined ? folder.config.model : undefined),
      ...{ provider: options.provider, toolCalling: options.toolCalling },
    });
    const model: LocalModel = options.streams ? found : { ...found, model: { ...found.model, streams: false } };
    const session = SessionFile.open(sessionPath(folder, options.session), SYSTEM_PROMPT);
    if (session.dropped > 0)
      shown.onNotice('The last line of the session was cut off when it was written, and was dropped.');
    const permissions = new Permissions({
      ...{ config: folder.config, isYes: options.isYes, ask },
      allowAlways(tool: Tool, commands) {
        try {
          allowInConfig(folder, tool.name, commands);
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          shown.onNotice(`It is allowed in this session only: the settings could not be saved. ${reason}`);
        }
      },
    });
    let wasDenied = false;
    const agent = new LocalAgent({
      ...{ folder, session, models, model, permissions },
      maxSteps: options.maxSteps ?? folder.config.limits.steps,
      listener: {
        onChunk: (...chunk) => shown.onChunk(...chunk),
        onRun: (call) => shown.onRun(call),
        onResult(call, result) {
          wasDenied ||= result.type === 'tool-error' && result.code === 'denied';
          shown.onResult(call, result);
          if (folder.host.get(call.toolName)?.effect === 'read' || result.durationMs === undefined) return;
          const changes = folder.journal.ownDeedsOf(call.toolCallId).flatMap((deed) => deed.changes);
          for (const { path, diff } of diffsOf(folder, changes).slice(0, DIFFS_MAX)) shown.onDiff(path, diff);
        },
      },
    });
    return {
      ...{ folder, session, models, agent },
      wasDenied: () => wasDenied,
      async close() {
        session.close();
        await folder.close();
      },
    };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** How many changed files of one call are shown. */
const DIFFS_MAX = 20;

/** Where a session is: a path, a name in the folder of sessions, or `last` for the newest one there. */
function sessionPath({ own }: LocalFolder, wanted: string | undefined): string {
  own.create();
  if (wanted === undefined) {
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    return own.at('sessions', `${time}-${randomBytes(3).toString('hex')}.jsonl`);
  }
  if (wanted === 'last') {
    const newest = readdirSync(own.at('sessions'))
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .at(-1);
    if (newest === undefined)
      throw new UsageError('There is no session in this folder yet. Begin one without --session.');
    return own.at('sessions', newest);
  }
  const named = [wanted, `${wanted}.jsonl`].map((name) => own.at('sessions', name)).find((place) => existsSync(place));
  const isName = !isAbsolute(wanted) && !wanted.includes('/');
  return isName && named !== undefined && !existsSync(resolve(wanted)) ? named : resolve(wanted);
}

/** The sessions of a folder, newest first. */
export const sessionsOf = ({ own }: LocalFolder): string[] =>
  existsSync(own.at('sessions'))
    ? readdirSync(own.at('sessions'))
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
        .reverse()
        .map((name) => join('.roundtrip/sessions', name))
    : [];
