import { sha256 } from '#lib/base/sha256.ts';
import { catalogueText } from '#lib/tools/catalogue/catalogue.ts';
import { fragments, toolRegistry } from '#lib/tools/toolsets.ts';

/** The answer of the model. */
export const ANSWER = { text: 'Hello there, this is an answer of a few words.', piece: 8 };

/** The catalogue of tools that requests name. */
const text = catalogueText(toolRegistry.list(), fragments);

/** Gives a studio the catalogue of tools, as a page does once. */
export async function sendCatalogue(url: string): Promise<void> {
  const { ok } = await fetch(`${url}/api/catalogues`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  if (!ok) throw new Error('The server refused the catalogue.');
}

/** The time that a studio, a plain route, or the model's server takes to the first word, in milliseconds. */
export const timeDirectly = (modelUrl: string, prompt: string): Promise<number> =>
  timeToText(
    `${modelUrl}/chat/completions`,
    { model: 'scripted', stream: true, messages: [{ role: 'user', content: prompt }] },
    '"content":"Hello',
  );

export const timePlainRoute = (url: string, prompt: string): Promise<number> =>
  timeToText(url, { prompt }, '"delta":"Hello');

export const timeStudio = async (url: string, prompt: string): Promise<number> =>
  timeToText(`${url}/api/chat`, await chatRequest(prompt), '"delta":"Hello');

async function chatRequest(prompt: string): Promise<unknown> {
  const id = crypto.randomUUID();
  return {
    threadId: `thread-${id}`,
    runId: `run-${id}`,
    revision: null,
    head: null,
    turnId: `turn-${id}`,
    action: {
      type: 'turn',
      message: { id: `message-${id}`, role: 'user', createdAt: 1, parts: [{ type: 'text', text: prompt }] },
    },
    settings: { model: 'scripted', toolCalling: 'native', toolsets: ['browser', 'files'], systemPrompt: '' },
    catalogue: await sha256(text),
  };
}

/** Milliseconds from the request to the chunk that contains the marker; reads the rest as well. */
async function timeToText(url: string, body: unknown, marker: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const decoder = new TextDecoder();
  let seen = '';
  let at = Number.NaN;
  for await (const bytes of response.body ?? []) {
    if (Number.isNaN(at)) {
      seen += decoder.decode(bytes, { stream: true });
      if (seen.includes(marker)) at = performance.now() - startedAt;
    }
  }
  if (Number.isNaN(at)) throw new Error(`${url} never said ${marker}: ${seen.slice(0, 500)}`);
  return at;
}
