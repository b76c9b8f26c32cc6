import * as z from 'zod';
import { startOf } from '#lib/base/cut-text.ts';
import { type PreviewReport, problemText } from '../capabilities/preview.ts';
import { defineTool } from '../core/tool.ts';
import { ToolFailure, type ToolResult } from '../core/tool-call.ts';

/**
 * The number of results of `preview_open` in a row within a turn that may have errors, whatever pages they are for. After that,
 * the model may not open any page in this turn.
 */
export const FAILED_OPENS_MAX = 5;

/** The most errors, warnings, and console lines that a result shows of each. */
const SHOWN_MAX = 40;
const LINE_MAX_CHARACTERS = 1_000;

/**
 * The tool `preview_open`, which opens a page of the workspace in the preview and reports what happened. A page with errors is
 * a result, too. After `FAILED_OPENS_MAX` such results in a row within a turn, for whatever pages, the call fails as `denied`.
 */
export const previewOpen = defineTool({
  name: 'preview_open',
  description:
    'Builds a page of the workspace, shows it to the user in the preview and returns the outcome. ' +
    'The outcome is build problems with file and line, uncaught errors, console output and title. ' +
    'TypeScript, JSX, CSS modules, JSON and assets are bundled; react, react-dom, zustand, clsx, lucide-react, marked, zod, d3, chart.js, three, vue and jquery can be imported by ' +
    'name; script tags that load React, d3, Chart.js, three.js, Vue, jQuery, marked or Tailwind from their usual CDNs work too; ' +
    'there is no network access. Call it after writing or changing a page, fix what it reports, and call it again.',
  toolset: 'browser',
  effect: 'execute',
  inputSchema: z.object({
    entry: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .describe('The page: an .html, .md or .svg file, or a script. Defaults to the page shown last, or /index.html.'),
  }),
  needs: ['preview'],
  presentation: { verb: 'open-page', target: 'entry', names: ['entry'], result: 'page' },
  aliases: ['open_preview', 'preview'],
  examples: [
    {
      description: 'Look at the page that was just written',
      input: { entry: '/index.html' },
      result: '/index.html is running. Title: "Todo list". No errors. No console output.',
    },
  ],
  async execute({ entry }, { preview, abortSignal, earlierResults }) {
    const round = failedRounds(earlierResults('preview_open')) + 1;
    if (round > FAILED_OPENS_MAX) throw new ToolFailure('denied', TOO_MANY_ROUNDS);
    const report = await preview.open(entry, { abortSignal });
    const isBroken = hasErrors(report);
    return {
      content: [describe(report), ...(isBroken ? [roundsLeft(round)] : [])].join('\n'),
      data: { ...report, ...(isBroken && { round, roundsMax: FAILED_OPENS_MAX }) },
    };
  },
});

const TOO_MANY_ROUNDS = `The page has failed ${FAILED_OPENS_MAX} times in this turn, so it was not opened again. Stop trying to fix it. Tell the user what fails and what you have tried, and ask how to proceed.`;

const roundsLeft = (round: number): string =>
  round < FAILED_OPENS_MAX
    ? `[Attempt ${round} of ${FAILED_OPENS_MAX}. Fix this and call preview_open again.]`
    : `[Attempt ${round} of ${FAILED_OPENS_MAX}. This was the last attempt. Tell the user what fails.]`;

const hasErrors = ({ status, problems }: Pick<PreviewReport, 'status' | 'problems'>): boolean =>
  status !== 'running' || problems.some(({ severity }) => severity === 'error');

const brokenSchema = z.object({ round: z.number(), roundsMax: z.number() });

/** The attempt to fix a page that a result belongs to, counted from 1, and the most attempts that are allowed. */
type RepairRound = z.infer<typeof brokenSchema>;

/**
 * Counts the `preview_open` results in a row, up to the last one, in which the page failed. A call that itself failed as
 * `failed` ends the row; calls with other errors do not count. `results`: oldest first.
 */
function failedRounds(results: readonly ToolResult[]): number {
  const last = results.findLast((result) => result.type === 'tool-result' || result.code === 'failed');
  if (last === undefined || last.type === 'tool-error') return 0;
  return repairRoundOf(last)?.round ?? 0;
}

/**
 * Reads from the result of a `preview_open` call how many such results in a row within the turn, this one included, have had
 * errors (`round`), and how many may (`roundsMax`). Undefined if the page ran without errors, or if the call failed.
 */
export function repairRoundOf(result: ToolResult | undefined): RepairRound | undefined {
  if (result?.type !== 'tool-result') return undefined;
  return brokenSchema.safeParse(result.output.data).data;
}

function describe({ entry, status, title, problems, console: lines }: PreviewReport): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  const head = {
    running: `${entry} is running. Title: ${JSON.stringify(title)}.`,
    failed: entry === undefined ? 'There is no page.' : `${entry} could not be built, so the preview does not show it.`,
    ended: `${entry} was stopped.`,
  }[status];
  const part = (name: string, texts: readonly string[], none: string): string[] => {
    if (texts.length === 0) return none === '' ? [] : [none];
    const more = texts.length > SHOWN_MAX ? [`[${texts.length - SHOWN_MAX} more]`] : [];
    return [`${name}:`, ...texts.slice(0, SHOWN_MAX).map(cut), ...more];
  };
  return [
    head,
    ...part('Errors', errors.map(problemText), 'No errors.'),
    ...part('Warnings', warnings.map(problemText), ''),
    ...part(
      'Console',
      lines.map(({ text }) => text),
      'No console output.',
    ),
  ].join('\n');
}

const cut = (text: string): string =>
  text.length > LINE_MAX_CHARACTERS ? `${startOf(text, LINE_MAX_CHARACTERS)}…` : text;
