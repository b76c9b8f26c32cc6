import type { Notice } from '#lib/messages/message.ts';
import type { ChunkStream, Transport } from '#lib/threads/transport.ts';

type WindowNotice = Extract<Notice, { code: 'window-learned' }>;

/** The receiver of what runs show about models, which are named by their ids. */
interface Learner {
  /** Called when a model's endpoint does not support native tools, or the model writes its calls as text. */
  refusal(modelId: string): void;
  /** Called when a model's server takes fewer tokens than the context window that was known. */
  window(modelId: string, notice: WindowNotice): void;
}

/**
 * Wraps a transport, by which threads talk to the studio's server, and tells `learner` what runs show about their models: that
 * native tools do not work, or that the context window is smaller than was known.
 */
export function learningTransport(transport: Transport, learner: Learner): Transport {
  return {
    ...transport,
    post: async (request, signal) => noting(await transport.post(request, signal), learner),
    attach: async (...args) => noting(await transport.attach(...args), learner),
  };
}

async function* noting(stream: ChunkStream, learner: Learner): ChunkStream {
  for await (const batch of stream) {
    for (const chunk of batch.chunks) {
      if (chunk.type !== 'data-step-end') continue;
      for (const notice of chunk.data.notices)
        if (notice.code === 'tools-refused' || (notice.code === 'calls-in-text' && notice.isGivenUp))
          learner.refusal(notice.model);
        else if (notice.code === 'window-learned') learner.window(notice.model, notice);
    }
    yield batch;
  }
}
