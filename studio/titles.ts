import { defined } from '#lib/base/defined.ts';
import type { Message } from '#lib/messages/message.ts';
import { MessageTree } from '#lib/threads/message-tree.ts';
import { serverFetch } from '#lib/threads/server-fetch.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { PERSONAL_KEY_HEADER } from '#lib/wire/connections.ts';
import { titleAnswerSchema } from '#lib/wire/title.ts';
import type { Connections } from './connections/connections.ts';

interface TitleOptions {
  store: ThreadStore;
  connections: Pick<Connections, 'modelOf'>;
  /** The id of the model that names threads; null for the one that answered. */
  model: string | null;
  /** Checks whether a model can name threads; the demo cannot. */
  isNamer(model: string): boolean;
  /** Ends the request, such as when the model has an answer to write: nothing waits for a title. */
  signal: AbortSignal;
}

/**
 * The maximum number of messages that a thread may have for a model to name it. If naming fails after the first answer, it is
 * tried again after the next ones, up to this number.
 */
export const NAMED_MESSAGES_MAX = 6;

/**
 * Lets a model name a thread after its first answer, and stores the name. Does nothing if the person or a model has named it
 * already, if it has more than `NAMED_MESSAGES_MAX` messages, if the answer has no text, or if the model is the demo. Rejects
 * if naming fails: then the beginning of the first message stays its name.
 */
export async function nameThread(threadId: string, options: TitleOptions): Promise<void> {
  const { store, connections, isNamer, signal } = options;
  const thread = await store.thread(threadId);
  if (thread?.titledBy !== 'studio') return;
  const branch = new MessageTree(await store.messages(threadId)).branch(thread.headId);
  const [question, answer] = branch;
  if (branch.length > NAMED_MESSAGES_MAX || question?.role !== 'user' || answer?.role !== 'assistant') return;
  const model = options.model ?? answer.parts.findLast((part) => part.type === 'step')?.model;
  if (model === undefined || !isNamer(model) || textOf(answer) === '') return;
  const { personal, key } = (await connections.modelOf(model)) ?? {};
  const response = await serverFetch('/api/title', {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', ...defined({ [PERSONAL_KEY_HEADER]: key }) },
    body: JSON.stringify({
      model,
      ...defined({ personal }),
      question: textOf(question),
      answer: textOf(answer),
    }),
  });
  const { title } = titleAnswerSchema.parse(await response.json());
  await store.updateThread(threadId, (stored) =>
    // The person may have named it meanwhile.
    stored.titledBy === 'studio' ? { ...stored, title, titledBy: 'model' } : stored,
  );
}

/** The number of characters of a message that are sent. */
const SENT_CHARACTERS = 1_000;

const textOf = ({ parts }: Message): string =>
  parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .slice(0, SENT_CHARACTERS);
