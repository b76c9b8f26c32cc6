import type { ModelTexts } from '#components/i18n/model-texts.ts';
import { ConnectionError, ServerProblem } from '#lib/threads/transport.ts';

/**
 * The reason why a request to a model provider has failed, such as a refused key. `text`: for people; `detail`: the error's
 * own message.
 */
export interface ConnectionProblem {
  code: string;
  text: string;
  detail: string;
}

export function describeConnectionProblem(error: unknown, texts: ModelTexts): ConnectionProblem {
  const code =
    error instanceof ServerProblem ? error.code : error instanceof ConnectionError ? 'server-unreachable' : '';
  const { problems, unknownProblem } = texts.connections;
  const text = Object.hasOwn(problems, code) ? problems[code] : undefined;
  return { code, text: text ?? unknownProblem, detail: error instanceof Error ? error.message : String(error) };
}
