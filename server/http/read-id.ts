import { idSchema } from '#lib/wire/chat.ts';
import { HttpProblem } from './problem.ts';

/** Returns the id of a thread in the path of a route, which `text` is. Throws `HttpProblem` 400 if it is not a valid id. */
export function readId(text: string): string {
  const id = idSchema.safeParse(text);
  if (id.success) return id.data;
  throw new HttpProblem(400, 'invalid-id', 'The address does not name a thread.');
}
