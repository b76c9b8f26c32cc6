import { answerTo, type HighlightMessage } from './highlight-api.ts';

self.onmessage = async ({ data }: MessageEvent<HighlightMessage>) => {
  const answer = await answerTo(data);
  if (answer !== undefined)
    self.postMessage(answer, { transfer: typeof answer === 'string' ? [] : [answer.numbers.buffer] });
};
