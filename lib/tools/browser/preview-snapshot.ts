import * as z from 'zod';
import { defineTool } from '../core/tool.ts';

/**
 * The tool `preview_snapshot`, which returns the accessibility tree of the page in the preview, or of the elements that a CSS
 * selector matches. Fails with the errors of `PagePreview`.
 */
export const previewSnapshot = defineTool({
  name: 'preview_snapshot',
  description:
    'Returns what the page in the preview shows, as an outline. ' +
    'The outline is its accessibility tree: one line per element with its role, name and state. ' +
    'With a CSS selector, only the matching elements, with their text. The page must have been opened with preview_open.',
  toolset: 'browser',
  effect: 'read',
  inputSchema: z.object({
    selector: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .describe('A CSS selector, such as "#result" or "main li". Defaults to the whole page.'),
  }),
  needs: ['preview'],
  presentation: { verb: 'call', target: 'selector' },
  examples: [
    {
      description: 'See what is on the page',
      input: {},
      result: 'title: "Todo list"\n- heading "Todo list" [level=1]\n- textbox "New item"\n- button "Add"',
    },
  ],
  async execute({ selector }, { preview, abortSignal }) {
    return { content: await preview.outline(selector, { abortSignal }) };
  },
});
