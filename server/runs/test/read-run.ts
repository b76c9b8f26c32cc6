import type { StudioChunk } from '#lib/messages/chunk.ts';

interface ReadRun {
  /** The chunk numbers that the events carried. */
  ids: number[];
  chunks: StudioChunk[];
  /** The number of end events. */
  done: number;
}

/** Reads a run's server-sent events to their end, as a browser does. */
export async function readRun(stream: ReadableStream<Uint8Array>): Promise<ReadRun> {
  const read: ReadRun = { ids: [], chunks: [], done: 0 };
  const text = await new Response(stream).text();
  for (const event of text.split('\n\n').slice(0, -1)) {
    // A sign of life.
    if (event === ':') continue;
    const lines = event.split('\n');
    const data = lines.at(-1)?.slice('data: '.length) ?? '';
    if (data === '[DONE]') {
      read.done++;
      continue;
    }
    const [id] = lines;
    if (lines.length !== 2 || !id?.startsWith('id: ')) throw new Error(`not a run event: ${event}`);
    read.ids.push(Number(id.slice('id: '.length)));
    read.chunks.push(JSON.parse(data) as StudioChunk);
  }
  return read;
}
