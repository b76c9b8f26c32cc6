import * as z from 'zod';
import { startOf } from '#lib/base/cut-text.ts';
import { toBase64 } from '#lib/base/data-url.ts';
import type { RawAnswer, WebAccess, WebAnswer } from '../capabilities/web.ts';
import { counted } from '../core/counted.ts';
import { defineTool } from '../core/tool.ts';
import { ToolFailure, type ToolOutput } from '../core/tool-call.ts';
import { hostOf } from '../egress/reached-hosts.ts';
import { outerCallId } from '../execution/inner-call.ts';
import { addressProblem } from './address.ts';
import { bodyText, imageType, isBinary, isPdf, withoutUnseen } from './body-text.ts';
import { WEB_LIMITS } from './limits.ts';

/**
 * Reads an address of the web as readable text or an image; with `as: 'raw'` the source as it is, with `as: 'head'` only the
 * status and the headers. The user is asked about each host. A redirect to another host is not followed; the result names its
 * address. Unless `as` is `head`, the call fails for an error status. Code in the sandbox, whose requests are inner calls of
 * this tool with `raw` or `head`, gets every answer as data (`RawAnswer`), redirects and errors included.
 */
export const fetchUrl = defineTool({
  name: 'fetch_url',
  aliases: ['web_fetch', 'WebFetch', 'read_url', 'open_url'],
  description:
    'Reads an address with a GET request, without cookies: a page as Markdown, a PDF as text, JSON and other text as it is, an image as an image. ' +
    `Reads up to ${WEB_LIMITS.bodyBytes / 1_000_000} MB in ${WEB_LIMITS.totalMs / 1_000} seconds and returns up to ${WEB_LIMITS.shownText} characters; the result says what was cut. ` +
    'A redirect to another host is returned, not followed.',
  toolset: 'web',
  effect: 'execute',
  inputSchema: z.object({
    url: z
      .string()
      .superRefine((url, context) => {
        const problem = addressProblem(url);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      })
      .describe('The whole address, such as https://example.org/page.'),
    as: z
      .enum(['text', 'raw', 'head'])
      .optional()
      .describe('“raw”: the source as it is. “head”: only status and headers. By default, readable text.'),
    from: z.int().min(0).optional().describe('The character of the text to begin at, to read on after a cut.'),
  }),
  needs: ['web'],
  reaches: ({ url }) => [hostOf(new URL(url))],
  presentation: { verb: 'fetch', target: 'url', names: ['url'] },
  examples: [
    {
      description: 'Read a page',
      ask: 'What does https://example.org say?',
      input: { url: 'https://example.org/' },
      result: '[200 text/html from https://example.org/]\n# Example Domain\n\nThis domain is for use in examples.',
      answer: 'It says that this domain is for use in examples.',
    },
  ],
  async execute({ url, as = 'text', from = 0 }, { web, toolCallId, abortSignal }) {
    const method = as === 'head' ? 'HEAD' : 'GET';
    const answer = await web.request({ url, method, toolCallId, abortSignal });
    // Code gets whatever a server answers, errors included.
    if (outerCallId(toolCallId) !== toolCallId && as !== 'text')
      return { content: headOf(answer), data: rawOf(answer) };
    if (answer.redirectsTo !== undefined) return { content: elsewhere(answer) };
    if (as === 'head') return { content: headersOf(answer) };
    const read = as === 'raw' ? sourceOf(answer) : await readAnswer(answer, web, abortSignal);
    if (answer.status >= 400) throw new ToolFailure('failed', errorOf(answer, read));
    return 'image' in read ? read.image : { content: shown(answer, read, from) };
  },
});

/** The content that was read from a body: a text or an image. */
type ReadAnswer = { text: string; title?: string; notes: readonly string[] } | { image: ToolOutput };

async function readAnswer(answer: WebAnswer, web: WebAccess, abortSignal: AbortSignal): Promise<ReadAnswer> {
  const { body, url } = answer;
  if (body.byteLength === 0) return { text: '', notes: ['The body is empty.'] };
  const type = typeOf(answer);
  const image = imageType(body);
  if (image !== undefined) return { image: imageOf(answer, image) };
  if (isPdf(body) && (type === 'application/pdf' || isBinary(body) || !type.startsWith('text/')))
    return readPdf(answer, web, abortSignal);
  if (isHtml(type) && !isBinary(body)) {
    const text = bodyText(body, contentType(answer), true);
    return web.read({ type: 'html', text, url }, { abortSignal });
  }
  return sourceOf(answer);
}

async function readPdf({ body, cut }: WebAnswer, web: WebAccess, abortSignal: AbortSignal): Promise<ReadAnswer> {
  try {
    return await web.read({ type: 'pdf', data: body }, { abortSignal });
  } catch (error) {
    if (cut === undefined || !(error instanceof ToolFailure) || error.code === 'aborted') throw error;
    throw new ToolFailure(error.code, `${error.message} Only a part of the PDF was read, because ${CUTS[cut]}.`);
  }
}

function imageOf(answer: WebAnswer, mediaType: string): ToolOutput {
  const { body, cut, url } = answer;
  if (cut !== undefined)
    throw new ToolFailure('failed', `The image at ${url} was not read completely, because ${CUTS[cut]}.`);
  const image = { type: 'image', mediaType, data: toBase64(body), alt: url } as const;
  return { content: [{ type: 'text', text: headOf(answer) }, image] };
}

/** The body of an answer as text, without conversion. Throws `ToolFailure` if it is binary. */
function sourceOf(answer: WebAnswer): ReadAnswer {
  const { body } = answer;
  if (isBinary(body))
    throw new ToolFailure(
      'failed',
      `${headOf(answer)} The response is not text (${counted(body.byteLength, 'byte')}) and cannot be shown.`,
    );
  return { text: bodyText(body, contentType(answer), isHtml(typeOf(answer))), notes: [] };
}

const contentType = ({ headers }: WebAnswer): string => headers['content-type'] ?? '';

/** The media type that the server states, in lower case and without parameters; empty if it states none. */
const typeOf = (answer: WebAnswer): string => (contentType(answer).split(';', 1)[0] ?? '').trim().toLowerCase();

const isHtml = (type: string): boolean => type === 'text/html' || type === 'application/xhtml+xml';

/** The reasons why a body was cut, to complete “because”. */
const CUTS: Readonly<Record<NonNullable<WebAnswer['cut']>, string>> = {
  size: `it has more than ${WEB_LIMITS.bodyBytes} bytes`,
  time: `it took more than ${WEB_LIMITS.bodyMs / 1_000} seconds`,
  broken: 'the connection was lost',
};

/** Formats a text for the model, from the character `from` on, with notes about what is missing. */
function shown({ cut, ...answer }: WebAnswer, read: Exclude<ReadAnswer, { image: ToolOutput }>, from: number): string {
  const { text, count } = withoutUnseen(read.text);
  const part = text.slice(from, from + WEB_LIMITS.shownText);
  const rest = text.length - from - part.length;
  const notes = [
    ...read.notes,
    ...(cut === undefined ? [] : [`The rest of the body was left out, because ${CUTS[cut]}.`]),
    ...(count === 0 ? [] : [`${counted(count, 'invisible character')} left out.`]),
    ...(from > 0 ? [`This begins at character ${from} of ${text.length}.`] : []),
    ...(rest > 0 ? [`${rest} more characters follow; to continue, set “from” to ${from + part.length}.`] : []),
  ];
  const title = read.title === undefined || from > 0 ? [] : [`Title: ${withoutUnseen(read.title).text}`];
  return [headOf(answer), ...title, part, ...notes.map((note) => `[${note}]`)].filter((line) => line !== '').join('\n');
}

/** One line about an answer: its status, content type, and address. */
const headOf = ({ status, url, headers }: Pick<WebAnswer, 'status' | 'url' | 'headers'>): string =>
  `[${status} ${(headers['content-type'] ?? 'of unknown type').slice(0, 100)} from ${url}]`;

const headersOf = (answer: WebAnswer): string =>
  [headOf(answer), ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`)].join('\n');

const elsewhere = ({ status, url, redirectsTo = '' }: WebAnswer): string =>
  `[${status} from ${url}]\nIt redirects to another host. The redirect was not followed: ${redirectsTo}\nTo read it, call fetch_url with that address.`;

function errorOf(answer: WebAnswer, read: ReadAnswer): string {
  const text = 'image' in read ? '' : startOf(withoutUnseen(read.text).text, WEB_LIMITS.shownError);
  return `${answer.url} answered with status ${answer.status}.${text === '' ? '' : ` It says:\n${text}`}`;
}

const rawOf = ({ url, status, headers, body, cut }: WebAnswer): RawAnswer => ({
  url,
  status,
  headers,
  body: toBase64(body),
  isCut: cut !== undefined,
});
