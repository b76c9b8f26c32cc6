import { expect } from 'vitest';
import {
  EXAMINATION_REQUESTS_MAX,
  type ExaminationReport,
  examinationReportSchema,
  FINDINGS,
  REASONS,
} from '#lib/wire/examination.ts';
import { resolveModelConfig } from '../../config.ts';
import { examineModel } from '../examine-model.ts';
import { type Defect, DefectiveServer } from './defective-server.ts';

interface ExaminedOptions {
  measuresWindow?: boolean;
  contextSize?: number;
  /** Changes the server before it is asked. */
  prepare?(server: DefectiveServer): void;
}

/** The report on a server, which must keep to what a report may contain. */
export async function examined(
  defect: Defect,
  { measuresWindow = false, contextSize = 32_000, prepare }: ExaminedOptions = {},
) {
  const server = await DefectiveServer.start(defect);
  prepare?.(server);
  const model = resolveModelConfig({
    provider: 'local',
    model: 'able',
    baseURL: server.url,
    toolCalling: 'auto',
    contextSize,
  });
  const events = [];
  const options = { env: { MODEL_TIMEOUT_MS: 10_000 }, measuresWindow, signal: new AbortController().signal };
  const examined = { model, apiKey: undefined };
  for await (const event of examineModel(examined, { ...options, pauseMs: 10 })) events.push(event);
  await server.stop();
  const last = events.at(-1);
  if (last?.type !== 'report') throw new Error('The examination ended without a report.');
  expect(examinationReportSchema.safeParse(JSON.parse(JSON.stringify(last.report))).error).toBeUndefined();
  expect(server.requests.length).toBe(last.report.requests);
  expect(server.requests.length).toBeLessThanOrEqual(EXAMINATION_REQUESTS_MAX);
  for (const { check, code } of last.report.findings) expect(FINDINGS[check]).toContain(code);
  for (const { because } of last.report.recommendations) expect(REASONS).toContain(because);
  return last.report;
}

/** Returns the findings of a report as texts. */
export const found = ({ findings }: ExaminationReport) =>
  findings.map(({ check, code, value }) => [check, code, ...(value === undefined ? [] : [value])].join(' '));
