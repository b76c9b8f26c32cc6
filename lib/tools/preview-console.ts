import * as z from 'zod';
import { defineTool } from './tool.ts';

/** The most lines that are returned, the newest. */
export const MAX_LINES = 200;

export const previewConsole = defineTool({
  name: 'preview_console',
  description:
    'Returns what the page in the preview has printed, errors that it did not catch and what it was refused, each with a number, ' +
    `the newest ${MAX_LINES} lines at most. With "since", only what came after that number.`,
  toolset: 'browser',
  effect: 'read',
  inputSchema: z.object({
    since: z.number().int().nonnegative().default(0).describe('The number of the last line already seen; 0 for all.'),
  }),
  primaryArgument: 'since',
  examples: [{ description: 'Read what the page has printed', input: {}, result: '12 log: clicked 3 times' }],
  async execute({ since }, { preview }) {
    const lines = await preview.console(since);
    const shown = lines.slice(-MAX_LINES);
    const left = lines.length - shown.length;
    const texts = shown.map(({ id, text }) => `${id} ${text}`);
    const content = [...(left > 0 ? [`[${left} earlier lines are not shown.]`] : []), ...texts].join('\n');
    return { content: content === '' ? 'Nothing was printed.' : content, data: { lines: shown } };
  },
});
