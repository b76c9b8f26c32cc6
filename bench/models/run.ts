import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import * as z from 'zod';
import { readServerEnv } from '#config/env.ts';
import type { AgentModel } from '#lib/agent/agent-model.ts';
import { streamOf } from '#lib/agent/test/scripted-model.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { toAgentModel } from '#models/language-model.ts';
import { describeModelError } from '#models/problems.ts';
import { type Arm, armOf } from './arms.ts';
import { failureOf } from './failures.ts';
import { chosenTasks, type ModelsOptions, UsageError } from './options.ts';
import { type Played, playTask, type RecordedReply, type ReplySource, type ToolChoice } from './play.ts';
import { appendRecord, dropCutLine, keyOf, readRecords, type TryRecord } from './records.ts';
import type { Task } from './task.ts';
import { TASKS } from './tasks.ts';

/** One try that is still to be played. */
interface Job {
  task: Task;
  arm: Arm;
  tools: ToolChoice;
  number: number;
}

const env = readServerEnv({ MODEL_TIMEOUT_MS: '1800000' });

/** Advice about problems that every try with the same tools would have. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['no-chat-template', 'Choose an “instruct” or “chat” model, or start the server with a chat template.'],
  ['context-too-small', 'Start the server with a larger window, or choose few tools.'],
  ['key-refused', 'Check the key.'],
  ['model-not-found', 'Check the name of the model.'],
]);

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const propsSchema = z.object({ default_generation_settings: z.object({ n_ctx: z.number() }) });

/**
 * Plays the tries that the results do not have yet, and adds them. Returns false if a server stopped answering; what was
 * played until then is kept. Throws `UsageError` if a server cannot be reached at first, or does not have the model.
 */
export async function playAll(options: ModelsOptions, report: (line: string) => void): Promise<boolean> {
  const { urls, output, model, label } = options;
  const contextSize = options.contextSize ?? (await contextOf(urls[0] ?? ''));
  for (const url of urls) await checkServer(url, model, keyOfServer(options));
  report(`${model}: a window of ${contextSize ?? 'unknown'} tokens, temperature ${options.temperature}`);
  dropCutLine(output);
  const known = new Set(readRecords(output).map(keyOf));
  const labels = [label ?? [], options.firstOnly ? 'first replies' : []].flat();
  const named = (arm: Arm) => (labels.length === 0 ? arm.name : `${arm.name} (${labels.join(', ')})`);
  const { temperature, maxOutputTokens: maxOutput } = options;
  const settings = { temperature, maxOutput, ...(contextSize !== undefined && { window: contextSize }) };
  const identify = ({ task, arm, tools, number }: Job) => ({
    model,
    arm: named(arm),
    tools,
    task: task.id,
    number,
    ...settings,
  });
  let jobs = jobsOf(options).filter((job) => !known.has(keyOf(identify(job))));
  let total = jobs.length;
  let isWhole = true;
  let done = 0;
  const work = async (url: string): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const seed = TASKS.indexOf(job.task) * 1_000 + job.number;
      const record: TryRecord = { ...identify(job), seed };
      try {
        const source = sourceOf({ ...options, contextSize }, url, seed);
        record.played = await playTask(job.task, job.arm, job.tools, source);
        const failure = failureOf(job.task, job.arm, record.played);
        if (failure !== undefined) record.failure = failure;
      } catch (error) {
        const { code, detail } = describeModelError(error);
        if (isPassing(code, detail) || !(await isAlive(url))) {
          jobs.unshift(job);
          isWhole = false;
          report(
            `${url} no longer answers (${detail}). Once it does, start this command again: it goes on where it stopped.`,
          );
          return;
        }
        record.error = `${code}: ${detail}`;
        record.failure = 'refused';
        const advice = ADVICE.get(code);
        if (advice !== undefined) {
          const { arm, tools } = job;
          const left = jobs.filter((other) => other.arm !== arm || other.tools !== tools);
          const dropped = jobs.length - left.length;
          jobs = left;
          total -= dropped;
          if (dropped > 0) report(`${record.arm} ${tools}: ${detail} ${advice} ${dropped} more tries are not played.`);
        }
      }
      appendRecord(output, record);
      const seconds = (record.played?.replies.reduce((sum, { ms }) => sum + ms, 0) ?? 0) / 1_000;
      done++;
      const outcome = record.error ?? record.failure ?? 'right';
      report(
        `${done}/${total} ${record.arm} ${record.tools} ${record.task} #${record.number}: ${outcome} (${seconds.toFixed(0)} s)`,
      );
    }
  };
  await Promise.all(urls.map(work));
  return isWhole && jobs.length === 0;
}

/** Tries in an order in which every arm has about as many of each task, whenever it is stopped. */
function jobsOf(options: ModelsOptions): Job[] {
  const { arms, tools, tries } = options;
  return Array.from({ length: tries }, (_, index) => index + 1).flatMap((number) =>
    tools.flatMap((choice) =>
      chosenTasks(options, choice).flatMap((task) => arms.map((arm) => ({ task, arm, tools: choice, number }))),
    ),
  );
}

const keyOfServer = ({ keyVariable }: ModelsOptions): string | undefined => {
  const key = keyVariable === undefined ? undefined : process.env[keyVariable];
  if (keyVariable !== undefined && !key) throw new UsageError(`The variable ${keyVariable} is not set.`);
  return key;
};

function modelOf(options: ModelsOptions, url: string): AgentModel {
  const { model, temperature, contextSize, maxOutputTokens } = options;
  const config = {
    id: model,
    name: model,
    provider: 'local',
    model,
    baseURL: url,
    toolCalling: 'auto' as const,
    temperature,
    maxOutputTokens,
    ...(contextSize !== undefined && { contextSize }),
  };
  return toAgentModel(config, keyOfServer(options), env);
}

const sourceOf = (options: ModelsOptions, url: string, seed: number): ReplySource => ({
  model: modelOf(options, url),
  prepare: async ({ params }) => ({ ...params, seed }),
  firstOnly: options.firstOnly,
});

async function checkServer(url: string, model: string, key: string | undefined): Promise<void> {
  let models: string[];
  try {
    const headers = new Headers(key === undefined ? [] : [['authorization', `Bearer ${key}`]]);
    const response = await fetch(`${url}/models`, { headers });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    models = modelsSchema.parse(await response.json()).data.map(({ id }) => id);
  } catch (error) {
    const reason = messageOf(error);
    throw new UsageError(`${url} is not an OpenAI-compatible server that can be reached: ${reason}`);
  }
  if (!models.includes(model)) throw new UsageError(`${url} does not have ${model}. It has: ${models.join(', ')}`);
}

/** Problems of a server at the moment, which say nothing of its model. */
const PASSING = new Set(['endpoint-unreachable', 'endpoint-timeout', 'stream-broken', 'rate-limited']);

const isPassing = (code: string, detail: string): boolean => PASSING.has(code) || /\b503\b|loading model/i.test(detail);

const isAlive = (url: string): Promise<boolean> =>
  fetch(`${url}/models`).then(
    () => true,
    () => false,
  );

/** The window that llama.cpp serves; undefined for other servers. */
async function contextOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(new URL('/props', url));
    return propsSchema.parse(await response.json()).default_generation_settings.n_ctx;
  } catch {
    return undefined;
  }
}

/**
 * Reads the recorded replies again with the current parser and tools, without the model. Where a conversation takes
 * another way than the recorded one, only its first call can be compared; these are reported.
 */
export async function rereadAll(
  records: readonly TryRecord[],
  options: ModelsOptions,
  report: (line: string) => void,
): Promise<TryRecord[]> {
  const again: TryRecord[] = [];
  let others = 0;
  for (const record of records) {
    const task = TASKS.find(({ id }) => id === record.task);
    const arm = armOf(record.arm.split(' ')[0] ?? '');
    if (task === undefined || arm === undefined || record.played === undefined) {
      again.push(record);
      continue;
    }
    const { failure: _, ...kept } = record;
    const played = await playTask(task, arm, record.tools, replay(record.played, modelOf(options, 'http://127.0.0.1')));
    const failure = failureOf(task, arm, played);
    if (JSON.stringify(callsOf(played)) !== JSON.stringify(callsOf(record.played))) others++;
    if (record.failure !== failure)
      report(`${record.arm} ${record.task} #${record.number}: ${record.failure ?? 'right'} → ${failure ?? 'right'}`);
    again.push({ ...kept, played, ...(failure !== undefined && { failure }) });
  }
  report(`${again.length} conversations read again; ${others} take another way than the recorded ones.`);
  return again;
}

const callsOf = ({ calls }: Played) => calls.map(({ step, name, input }) => [step, name, input]);

const NO_REPLY: RecordedReply = {
  text: '(There is no recorded reply.)',
  reasoning: '',
  calls: [],
  finishReason: 'stop',
  inputTokens: 0,
  outputTokens: 0,
  ms: 0,
};

/** A model that gives the recorded replies in turn. */
function replay({ replies }: Played, model: AgentModel): ReplySource {
  const left = [...replies];
  const replaying: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'recording',
    modelId: model.id,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('A recording only streams.')),
    doStream: async () => ({ stream: streamOf(partsOf(left.shift() ?? NO_REPLY)) }),
  };
  return { model: { ...model, create: () => replaying } };
}

function partsOf({
  text,
  reasoning,
  calls,
  finishReason,
  inputTokens,
  outputTokens,
}: RecordedReply): LanguageModelV4StreamPart[] {
  const block = (type: 'text' | 'reasoning', delta: string): LanguageModelV4StreamPart[] =>
    delta === ''
      ? []
      : [
          { type: `${type}-start`, id: type },
          { type: `${type}-delta`, id: type, delta },
          { type: `${type}-end`, id: type },
        ];
  return [
    { type: 'stream-start', warnings: [] },
    ...block('reasoning', reasoning),
    ...block('text', text),
    ...calls.flatMap(({ name, input }, index): LanguageModelV4StreamPart[] => [
      { type: 'tool-input-start', id: `call_${index}`, toolName: name },
      { type: 'tool-input-delta', id: `call_${index}`, delta: input },
      { type: 'tool-input-end', id: `call_${index}` },
      { type: 'tool-call', toolCallId: `call_${index}`, toolName: name, input },
    ]),
    {
      type: 'finish',
      finishReason: { unified: finishReason as 'stop', raw: finishReason },
      usage: {
        inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
      },
    },
  ];
}
