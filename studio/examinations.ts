import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Check, ExaminationEvent, ExaminationReport, Finding } from '#lib/wire/examination.ts';
import type { ModelInfo } from '#lib/wire/models.ts';
import type { Connections } from './connections/connections.ts';
import { examine } from './examine.ts';
import type { ModelRecords } from './model-records.ts';
import type { Studio } from './studio.ts';

/** The progress of an examination, which tests with a few requests how a model calls tools. */
export interface ExaminationProgress {
  /** The check that is being made; undefined before the first. */
  check: Check | undefined;
  /** The number of requests that have been sent. */
  requests: number;
  /** The results of the checks so far. */
  findings: readonly Finding[];
}

/**
 * The state of a model's examination in this page: it runs, here or in another tab, or has ended without a report that was
 * stored.
 */
export type ExaminationState =
  | ({ type: 'running' } & ExaminationProgress)
  /** The person stopped it, or deleted the model's connection. */
  | { type: 'stopped' }
  /** Another tab examines the model. */
  | { type: 'elsewhere' }
  /** Its report was not stored, because it is incomplete, or failed and there is an earlier one. */
  | { type: 'unfinished'; report: ExaminationReport }
  /** It ended with an error, without a report. */
  | { type: 'failed'; error: unknown };

type States = Readonly<Record<string, ExaminationState>>;

/** Examines models, one at a time for each endpoint. An examination goes on while its dialog is closed. */
class Examinations {
  /** The examinations, by the name of the model's endpoint. */
  readonly state: StoreApi<States> = createStore<States>(() => ({}));
  readonly #connections: Connections;
  readonly #records: ModelRecords;
  readonly #running = new Map<string, AbortController>();

  constructor(connections: Connections, records: ModelRecords) {
    this.#connections = connections;
    this.#records = records;
  }

  /** Examines a model, unless that is happening already. What comes of it is in the state, or in the model's record. */
  async start({ id, endpoint }: Pick<ModelInfo, 'id' | 'endpoint'>, measuresWindow: boolean): Promise<void> {
    if (this.#running.has(endpoint)) return;
    const controller = new AbortController();
    const isPersonal = this.#connections.configOf(id) !== undefined;
    const unsubscribe = this.#connections.state.subscribe(() => {
      if (isPersonal && this.#connections.configOf(id) === undefined) controller.abort();
    });
    this.#running.set(endpoint, controller);
    this.#set(endpoint, { type: 'running', check: undefined, requests: 0, findings: [] });
    let ending: ExaminationState | undefined;
    try {
      ending = await navigator.locks.request(lockOf(endpoint), { ifAvailable: true }, (lock) =>
        lock === null ? { type: 'elsewhere' } : this.#run(id, endpoint, measuresWindow, controller.signal),
      );
    } catch (error) {
      ending = controller.signal.aborted ? { type: 'stopped' } : { type: 'failed', error };
    }
    unsubscribe();
    this.#running.delete(endpoint);
    this.#set(endpoint, ending);
    if (ending?.type === 'elsewhere') void this.#waitForOther(endpoint);
  }

  /** Waits until no other tab examines the model, and then removes the state `elsewhere`. */
  async #waitForOther(endpoint: string): Promise<void> {
    await navigator.locks.request(lockOf(endpoint), { mode: 'shared' }, async () => {
      if (this.state.getState()[endpoint]?.type === 'elsewhere') this.#set(endpoint, undefined);
    });
  }

  stop(endpoint: string): void {
    this.#running.get(endpoint)?.abort();
  }

  async #run(
    id: string,
    endpoint: string,
    measuresWindow: boolean,
    signal: AbortSignal,
  ): Promise<ExaminationState | undefined> {
    for await (const event of examine(id, { connections: this.#connections, measuresWindow, signal })) {
      signal.throwIfAborted();
      if (event.type === 'report') return this.#keep(endpoint, event.report);
      const before = this.state.getState()[endpoint];
      if (before?.type === 'running') this.#set(endpoint, { type: 'running', ...progressAfter(before, event) });
    }
    return undefined;
  }

  /**
   * Stores a report in the model's record. Its settings are not used before the person accepts them. A report that is
   * incomplete, or failed where there is an earlier one, is returned instead.
   */
  async #keep(endpoint: string, report: ExaminationReport): Promise<ExaminationState | undefined> {
    const before = this.#records.of(endpoint)?.examination;
    if (report.verdict === 'unfinished' || (report.detail !== undefined && before !== undefined))
      return { type: 'unfinished', report };
    await this.#records.change(endpoint, (known) => {
      const { use, isUsed } =
        known.examination?.isUsed === true ? known.examination : { use: report.use, isUsed: false };
      return { ...known, examination: { use, isUsed, report } };
    });
    return undefined;
  }

  #set(endpoint: string, state: ExaminationState | undefined): void {
    const { [endpoint]: _, ...others } = this.state.getState();
    this.state.setState(state === undefined ? others : { ...others, [endpoint]: state }, true);
  }
}

const lockOf = (endpoint: string): string => `roundtrip-examination ${endpoint}`;

const opened = new WeakMap<ModelRecords, Examinations>();

/**
 * Returns the object that examines a studio's models; an examination tests how a model calls tools. It starts and stops
 * examinations, and has their states by the name of the model's endpoint. Each call returns the same object. Its code is loaded
 * with the view that shows them.
 */
export function examinerOf({ connections, modelRecords }: Pick<Studio, 'connections' | 'modelRecords'>) {
  const known = opened.get(modelRecords);
  if (known !== undefined) return known;
  const examinations = new Examinations(connections, modelRecords);
  opened.set(modelRecords, examinations);
  return examinations;
}

function progressAfter(
  before: ExaminationProgress,
  event: Exclude<ExaminationEvent, { type: 'report' }>,
): ExaminationProgress {
  const { check, requests, findings } = before;
  if (event.type === 'check') return { check: event.check, requests, findings };
  if (event.type === 'request') return { check, requests: event.number, findings };
  return { check, requests, findings: [...findings, event.finding] };
}
