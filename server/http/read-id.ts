import { idSchema } from '#lib/wire/chat.ts';
import { HttpProblem } from './problem.ts';

/**
 * Checks that `text`, from the path of a route, is a valid id of a thread, and returns it. Throws `HttpProblem` 400 otherwise.
 */
export function readId(text: string): string {
  const id = idSchema.safeParse(text);
  if (id.success) return id.data;
  throw new HttpProblem(400, 'invalid-id', 'The address does not name a thread.');
}
