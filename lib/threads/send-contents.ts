import { NAMED_CONTENTS_HEADER, nameContents } from '#lib/wire/contents.ts';
import { ServerProblem } from './transport.ts';

/**
 * The maximum number of times that missing texts are sent for one request. If some are still missing then, the request fails.
 */
const UPLOADS_MAX = 3;

/** The most characters of missing texts that go in one request together; a longer text goes in a request of its own. */
const UPLOAD_CHARACTERS = 8_000_000;

/**
 * The two requests that send a large value: `post` sends the value with references, and `upload` the texts that the server does
 * not have. Both reject with `ServerProblem` or `ConnectionError`.
 */
interface Sending {
  post(body: string, headers: Record<string, string>): Promise<Response>;
  upload(contents: readonly string[]): Promise<unknown>;
}

/**
 * Posts a large value with `post`, with hashes in place of long texts. If the server does not have some of these texts, sends
 * them with `upload` and posts again. Rejects with `ServerProblem` or `ConnectionError`.
 */
export async function sendContents(value: unknown, { post, upload }: Sending): Promise<Response> {
  const { value: named, contents } = await nameContents(value);
  const body = JSON.stringify(named);
  for (let uploads = 0; ; uploads++)
    try {
      return await post(body, { [NAMED_CONTENTS_HEADER]: '1' });
    } catch (error) {
      if (!(error instanceof ServerProblem) || error.code !== 'contents-needed') throw error;
      // Texts that other tabs have sent meanwhile may have displaced some of these on the server.
      if (uploads === UPLOADS_MAX)
        throw new ServerProblem(413, 'too-large', 'The conversation contains more text than the server can hold.');
      await uploadAll(error.missing, contents, upload);
    }
}

async function uploadAll(
  missing: readonly string[],
  contents: ReadonlyMap<string, string>,
  upload: Sending['upload'],
): Promise<void> {
  let batch: string[] = [];
  let length = 0;
  const flush = async () => {
    if (batch.length > 0) await upload(batch);
    batch = [];
    length = 0;
  };
  for (const name of missing) {
    const text = contents.get(name);
    if (text === undefined) continue;
    if (length + text.length > UPLOAD_CHARACTERS) await flush();
    batch.push(text);
    length += text.length;
  }
  await flush();
}
