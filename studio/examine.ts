import { defined } from '#lib/base/defined.ts';
import { serverFetch } from '#lib/threads/server-fetch.ts';
import { ConnectionError } from '#lib/threads/transport.ts';
import { PERSONAL_KEY_HEADER } from '#lib/wire/connections.ts';
import { type ExaminationEvent, examinationEventSchema } from '#lib/wire/examination.ts';
import type { Connections } from './connections/connections.ts';

interface ExamineOptions {
  connections: Pick<Connections, 'modelOf'>;
  measuresWindow: boolean;
  /** Ends the examination. */
  signal: AbortSignal;
}

/**
 * Has the server examine a model, which tests how it calls tools, and yields the events of the examination; the last one has
 * the report. `measuresWindow`: whether the context window may be measured with a long prompt. Rejects with `ServerProblem`, or
 * with `ConnectionError` if the server stops before the report.
 */
export async function* examine(
  model: string,
  { connections, measuresWindow, signal }: ExamineOptions,
): AsyncGenerator<ExaminationEvent> {
  const { personal, key } = (await connections.modelOf(model)) ?? {};
  const response = await serverFetch('/api/examinations', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...defined({ [PERSONAL_KEY_HEADER]: key }) },
    body: JSON.stringify({ model, measuresWindow, ...defined({ personal }) }),
    signal,
  });
  let rest = '';
  let isOver = false;
  for await (const piece of textOf(response)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = examinationEventSchema.parse(JSON.parse(line));
      isOver ||= event.type === 'report';
      yield event;
    }
  }
  if (!isOver) throw new ConnectionError('The examination ended before its report.');
}

async function* textOf({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  try {
    for (;;) {
      const { done = true, value = '' } = (await reader?.read()) ?? {};
      if (done) return;
      yield value;
    }
  } finally {
    // A caller that stops reading ends the examination.
    await reader?.cancel().catch(() => undefined);
  }
}
