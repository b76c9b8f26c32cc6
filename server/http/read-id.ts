import { idSchema } from '#lib/wire/chat.ts';
import { HttpProblem } from './problem.ts';

/** Reads the id of a thread from an address. Throws `HttpProblem` 400 for anything that is no id. */
export function readId(text: string): string {
  const id = idSchema.safeParse(text);
  if (id.success) return id.data;
  throw new HttpProblem(400, 'invalid-id', 'The address does not name a thread.');
}
