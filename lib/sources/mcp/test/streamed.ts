/** A `fetch` whose response arrives in pieces of a length, in characters. */
export function streamed(body: string, length: number, init: ResponseInit): typeof fetch {
  const pieces = body.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? [];
  return async () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
          controller.close();
        },
      }),
      init,
    );
}
