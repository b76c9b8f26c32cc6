import type { ChunkStream, Transport } from '#lib/threads/transport.ts';

/** Called with the id of a model whose endpoint does not support native tools. */
export type LearnRefusal = (modelId: string) => void;

/** A transport that notes which models refused native tools, or wrote their calls as text. */
export function learningTransport(transport: Transport, learn: LearnRefusal): Transport {
  return {
    ...transport,
    post: async (request, signal) => noting(await transport.post(request, signal), learn),
    attach: async (...args) => noting(await transport.attach(...args), learn),
  };
}

async function* noting(stream: ChunkStream, learn: LearnRefusal): ChunkStream {
  for await (const batch of stream) {
    for (const chunk of batch.chunks) {
      if (chunk.type !== 'data-step-end') continue;
      for (const notice of chunk.data.notices)
        if (notice.code === 'tools-refused' || (notice.code === 'calls-in-text' && notice.isGivenUp))
          learn(notice.model);
    }
    yield batch;
  }
}
