import * as z from 'zod';
import { counted } from '../core/counted.ts';
import { defineTool } from '../core/tool.ts';

/** The most console lines that one call of `preview_console` returns; if there are more, it returns the newest. */
export const MAX_LINES = 200;

/**
 * The tool `preview_console`, which returns the newest console lines of the page in the preview, with their numbers; at most
 * `MAX_LINES`, and with `since` only those after that number. Fails with the errors of `PagePreview`.
 */
export const previewConsole = defineTool({
  name: 'preview_console',
  description:
    'Returns the console output of the page in the preview. It includes uncaught errors and blocked requests. ' +
    `Each line has a number; at most the newest ${MAX_LINES} lines. With "since", only lines after that number.`,
  toolset: 'browser',
  effect: 'read',
  inputSchema: z.object({
    since: z.number().int().nonnegative().default(0).describe('Number of the last line already seen; 0 for all lines.'),
  }),
  needs: ['preview'],
  presentation: { verb: 'call', target: 'since', result: 'list' },
  examples: [{ description: 'Read what the page has printed', input: {}, result: '12 log: clicked 3 times' }],
  async execute({ since }, { preview }) {
    const lines = await preview.console(since);
    const shown = lines.slice(-MAX_LINES);
    const left = lines.length - shown.length;
    const texts = shown.map(({ id, text }) => `${id} ${text}`);
    const content = [...(left > 0 ? [`[Not shown: ${counted(left, 'earlier line')}.]`] : []), ...texts].join('\n');
    return { content: content === '' ? 'No console output.' : content, data: { lines: shown } };
  },
});
