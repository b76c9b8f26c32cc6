import { type ExaminationEvent, examinationRequestSchema } from '#lib/wire/examination.ts';
import { examineModel } from '#models/examination/examine-model.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { personalKeyOf } from '#server/http/personal-key.ts';
import { findModel } from '#server/runs/find-model.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

const BODY_MAX_BYTES = 65_536;

/**
 * Examines a model: tests with a few requests how it calls tools and, if the request asks for that, how large its context
 * window is. The response has a line of JSON for each event, as it happens; closing it ends the examination.
 */
export const POST = guarded(services, async (request) => {
  const studio = await services();
  const { measuresWindow, ...body } = await readJson(request, examinationRequestSchema, BODY_MAX_BYTES);
  const found = await findModel(studio, body, personalKeyOf(request));
  const events = examineModel(found, { env: studio.env, measuresWindow, signal: request.signal });
  studio.log.info({ model: body.model, measuresWindow }, 'examining a model');
  const lines = new TransformStream<ExaminationEvent, string>({
    transform: (event, controller) => controller.enqueue(`${JSON.stringify(event)}\n`),
  });
  return new Response(events.pipeThrough(lines).pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
});
