import { defined } from '#lib/base/defined.ts';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import type { ChatRequest } from '#lib/wire/chat.ts';
import type { ModelParameters } from '#lib/wire/model-config.ts';
import type { ResolvedModelConfig } from '#models/config.ts';
import { serverUseLayers, usedModel } from '#models/used-model.ts';
import { readThread } from '#server/graph/graph.ts';
import type { RunCompaction, RunContext } from '#server/graph/state.ts';
import { HttpProblem } from '#server/http/problem.ts';
import type { Services } from '#server/services.ts';
import { findModel } from './find-model.ts';
import type { ReadableRun, RunRequest } from './runs.ts';

/**
 * Starts the run that a page's request asks for, or finds the one that already answers it (see `Runs.existing`). `keys`: the
 * keys of the person's own connections. Rejects with `HttpProblem`, such as 409 `transcript-needed` if the server's state of
 * the thread is not the one that the request builds on (rule R11), 409 `catalogue-needed` if the server does not have the
 * catalogue of tools that the request names, 409 `run-active`, 503 `draining`, and 400 for an unknown model.
 */
export async function startChat(
  services: Services,
  request: ChatRequest,
  keys: PersonalKeys = {},
): Promise<ReadableRun> {
  const { threadId, runId, turnId, revision: baseRevision } = request;
  const kind = request.action.type === 'resume' ? 'resume' : 'messages';
  const existing = await services.runs.existing(threadId, runId, kind, baseRevision);
  if (existing !== undefined) return existing;
  services.runs.refuseDraining();
  checkLength(request, services.env.MESSAGE_MAX_CHARS);
  const reading = createInput(services, request);
  // A branch is large, so it is asked for only when the request can be answered otherwise.
  reading.catch(() => undefined);
  const context = await createContext(services, request, keys);
  const input = await reading;
  return services.runs.start({ threadId, runId, turnId, baseRevision, input, context });
}

/** The keys of the person's own connections that came with a request. */
interface PersonalKeys {
  /** The key of the connection whose model answers. */
  model?: string | undefined;
  /** The key of the connection whose model writes summaries. */
  summaries?: string | undefined;
}

async function createContext(services: Services, request: ChatRequest, keys: PersonalKeys): Promise<RunContext> {
  const { models, windows, scales, catalogues, env, log } = services;
  const { settings, catalogue: catalogueName } = request;
  if (catalogueName === undefined && settings.toolsets.length > 0)
    throw new HttpProblem(
      400,
      'outdated-page',
      'This page is from an earlier version of the studio. Reload it, then retry.',
    );
  if (settings.model === '')
    throw new HttpProblem(400, 'no-models', 'No model is selected because none was available.');
  const {
    model: configured,
    apiKey,
    access,
  } = await findModel(services, { model: settings.model, personal: request.personal }, keys.model);
  // The request contains what is known about a person's own connection.
  const window = await windows.of(configured, apiKey, access);
  const layers = access === undefined ? models.layersOf(configured) : serverUseLayers(configured, false, window);
  const used = usedModel(configured, layers, request.use);
  const model = withParameters(used.model, settings.parameters);
  return {
    model: settings.toolCalling === 'auto' ? model : { ...model, toolCalling: settings.toolCalling },
    apiKey,
    access,
    toolCalling: settings.toolCalling === 'auto' ? used.toolCalling : settings.toolCalling,
    systemPrompt: settings.systemPrompt,
    toolsets: settings.toolsets,
    catalogue: await catalogues.find(catalogueName),
    catalogueName,
    compaction: {
      isAsked: request.compaction?.now === true,
      ...(await findSummarizer(services, request, keys.summaries)),
    },
    registry: models,
    scales,
    env,
    log,
  };
}

/**
 * Finds the model that was chosen for summaries, with the settings for its use (`model`), or the reason why it cannot be used
 * (`unusable`). Resolves with neither if the model that answers also writes the summaries.
 */
async function findSummarizer(
  services: Services,
  { compaction, settings }: ChatRequest,
  key: string | undefined,
): Promise<Pick<RunCompaction, 'model' | 'unusable'>> {
  if (compaction?.model === undefined || compaction.model === settings.model) return {};
  const { model: id, personal, use } = compaction;
  try {
    const { model, apiKey, access } = await findModel(services, { model: id, personal }, key);
    const window = await services.windows.of(model, apiKey, access);
    const layers = access === undefined ? services.models.layersOf(model) : serverUseLayers(model, false, window);
    return { model: { model: usedModel(model, layers, use).model, apiKey, access } };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return { unusable: { model: id, provider: personal?.provider ?? '', detail: error.message } };
  }
}

/** Returns a model with the parameters that the thread sets for it, in place of those of its configuration. */
function withParameters(
  model: ResolvedModelConfig,
  { temperature, effort, maxOutputTokens }: ModelParameters = {},
): ResolvedModelConfig {
  return {
    ...model,
    ...defined({ temperature, maxOutputTokens }),
    ...(effort !== undefined && { reasoning: { ...model.reasoning, effort } }),
  };
}

async function createInput({ checkpointer }: Services, request: ChatRequest): Promise<RunRequest['input']> {
  const { action, threadId, turnId, runId } = request;
  const newTurn: AssistantMessage = {
    id: turnId,
    role: 'assistant',
    createdAt: Date.now(),
    parts: [],
    status: { type: 'running', runId },
  };
  if (action.type === 'replace') return { type: 'messages', messages: endingWithTurn(action.messages, newTurn) };
  const state = await readThread(checkpointer, threadId);
  const last = state?.messages.at(-1);
  const pending = last?.role === 'assistant' ? pendingCalls(last) : [];
  const isCurrent = state === undefined ? request.revision === null : state.revision === request.revision;
  if (!isCurrent || (last?.id ?? null) !== request.head) throw transcriptNeeded();
  if (action.type === 'resume') {
    const answered = new Set(action.results.map(({ toolCallId }) => toolCallId));
    const all = pending.length > 0 && pending.every(({ toolCallId }) => answered.has(toolCallId));
    if (last?.id !== turnId || !all) throw transcriptNeeded();
    return { type: 'resume', results: action.results };
  }
  if (pending.length > 0) throw transcriptNeeded();
  return { type: 'messages', messages: [...(state?.messages ?? []), action.message, newTurn] };
}

/**
 * Returns the branch with the turn at its end. A turn that continues is there already; it keeps its parts, and gets the status
 * of `newTurn`. Throws `HttpProblem` 400 if the branch ends with another turn.
 */
function endingWithTurn(messages: Message[], newTurn: AssistantMessage): Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return [...messages, newTurn];
  if (last.id !== newTurn.id)
    throw new HttpProblem(400, 'invalid-body', 'The branch does not end with the turn to continue.');
  return [...messages.slice(0, -1), { ...last, status: newTurn.status }];
}

function checkLength({ action }: ChatRequest, maxCharacters: number): void {
  if (action.type === 'resume') return;
  const message = action.type === 'turn' ? action.message : action.messages.findLast(({ role }) => role === 'user');
  const length = (message?.parts ?? []).reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  if (length <= maxCharacters) return;
  throw new HttpProblem(
    413,
    'message-too-long',
    `The message is ${length} characters long; the limit is ${maxCharacters}. Shorten it, or attach the text as a file and let the model read it in parts.`,
  );
}

const transcriptNeeded = (): HttpProblem =>
  new HttpProblem(409, 'transcript-needed', 'The server has a different state of this thread. Send the branch.');
