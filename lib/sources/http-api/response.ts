import { startOf } from '#lib/base/cut-text.ts';
import { excessOf } from '#lib/base/json-size.ts';
import { MAY_HAVE_RUN } from '#lib/sources/may-have-run.ts';
import type { ContentBlock } from '#lib/tools/core/content.ts';
import { CONTENT_LIMITS } from '#lib/tools/core/limits.ts';
import { isReading, type RestTool } from './api-tool.ts';
import { REST_LIMITS } from './limits.ts';
import type { RestOutcome } from './outcome.ts';
import type { Redactor } from './redactor.ts';
import { partAt } from './result-path.ts';
import type { RestResponse } from './send.ts';

/** Media types of images that models and people can be shown. */
const IMAGE = /^image\/(png|jpeg|gif|webp)$/;

/** Media types besides JSON whose bytes are text. */
const TEXT =
  /^(text\/.*|application\/(.*\+)?(xml|yaml|x-yaml|javascript|x-ndjson|x-www-form-urlencoded)|image\/svg\+xml)$/;

const JSON_TYPE = /^(application\/(.*\+)?json|text\/json)$/;

/**
 * Turns an API's response into the outcome of a call, without secrets, and with notes about what was left out. A response with
 * a status from 400 on is a failure, and so is JSON that is nested too deeply or too large. Of other JSON, the result is the
 * part at the tool's `result` path.
 */
export function outcomeOf(response: RestResponse, tool: RestTool, redactor: Redactor): RestOutcome {
  if (response.status >= 400) return { type: 'failure', code: 'failed', message: errorOf(response, tool, redactor) };
  const { bytes, isCut, headers } = response;
  if (bytes.byteLength === 0) return said(`The API answered ${statusOf(response, redactor)}, without content`);
  const type = typeOf(headers);
  if (IMAGE.test(type)) {
    if (isCut) return said(`Image, ${type}: left out, because it has more than ${REST_LIMITS.responseBytes} bytes`);
    return { type: 'output', content: [redactor.image({ type: 'image', mediaType: type, data: base64Of(bytes) })] };
  }
  const text = textOf(response, type);
  if (text === undefined)
    return said(
      `The API answered with ${bytes.byteLength} bytes of the type ${shownType(type)}, which cannot be shown`,
    );
  const json = isCut || !(JSON_TYPE.test(type) || tool.result !== undefined) ? undefined : parsed(text);
  if (json !== undefined) return jsonOutcome(json.value, tool, redactor);
  const notes = [
    ...(JSON_TYPE.test(type) && !isCut ? ['The API says that this is JSON, but it is not'] : []),
    ...(tool.result !== undefined ? [`The result is not JSON, so ${tool.result} could not be taken out of it`] : []),
  ];
  return { type: 'output', content: [...notes.map(note), ...textBlocks(text, isCut, redactor)] };
}

function jsonOutcome(whole: unknown, { result }: RestTool, redactor: Redactor): RestOutcome {
  if (excessOf(whole, CONTENT_LIMITS) !== undefined)
    return {
      type: 'failure',
      code: 'failed',
      message: 'It ran, but its result is nested too deeply, or too large. Ask for less.',
    };
  const part = result === undefined ? whole : partAt(whole, result);
  const value = redactor.value(part === undefined ? whole : part);
  const notes = part === undefined ? [note(`The response has nothing at ${result}, so all of it follows`)] : [];
  const text = JSON.stringify(value);
  if (text.length > REST_LIMITS.resultText)
    return { type: 'output', content: [...notes, ...textBlocks(text, false, redactor)] };
  return { type: 'output', content: [...notes, { type: 'json', value }], data: value };
}

const note = (text: string): ContentBlock => ({ type: 'text', text: `[${text}]` });

const said = (text: string): RestOutcome => ({ type: 'output', content: [note(text)] });

/**
 * Returns a text as content, without secrets, and cut at the limit of a result. A note follows if the text is cut here, or, as
 * `isCut` says, was cut before.
 */
function textBlocks(text: string, isCut: boolean, redactor: Redactor): ContentBlock[] {
  const clean = isCut ? redactor.cutText(text) : redactor.text(text);
  const shown = startOf(clean, REST_LIMITS.resultText);
  const blocks: ContentBlock[] = [{ type: 'text', text: shown }];
  if (isCut || shown.length < clean.length) blocks.push(note(`The result was cut after ${shown.length} characters`));
  return blocks;
}

/** Returns the status code, with the API's words for it if it sent any. */
function statusOf({ status, statusText }: RestResponse, redactor: Redactor): string {
  const words = redactor.text(statusText.replaceAll(/\p{Cc}/gu, ' ')).slice(0, 100);
  return words === '' ? String(status) : `${status} ${words}`;
}

/** The size from which the body of an error may have been cut by the relay, in bytes. */
const RELAYED_ERROR_MIN = 65_536;

function errorOf(response: RestResponse, tool: RestTool, redactor: Redactor): string {
  const { status, headers, isCut } = response;
  const retry = /^\d{1,5}$/.exec(headers.get('retry-after') ?? '')?.[0];
  const type = typeOf(headers);
  const text = textOf(response, type) ?? '';
  const readable = /html/.test(type) || /^\s*<(!doctype|html)/i.test(text) ? wordsOf(text) : text;
  // The relay ends the bodies of errors without saying so.
  const mayBeCut = isCut || response.bytes.byteLength >= RELAYED_ERROR_MIN;
  // It is cut only once there are no secrets in it, so that no part of one is left.
  const clean = (mayBeCut ? redactor.cutText(readable) : redactor.text(readable)).trim();
  const isLong = clean.length > REST_LIMITS.errorText;
  const sentences = [
    `The API answered ${statusOf(response, redactor)}.`,
    ...(retry === undefined ? [] : [`It asks to wait ${retry} seconds.`]),
    ...(status >= 500 && !isReading(tool) ? [MAY_HAVE_RUN] : []),
  ].join(' ');
  return clean === ''
    ? sentences
    : `${sentences}\n${startOf(clean, REST_LIMITS.errorText)}${isLong ? '\n[The rest was cut.]' : ''}`;
}

/** The part of an HTML page that is searched for words, in characters. */
const HTML_MAX = 100_000;

/** Returns the words of an HTML page, which tell what has gone wrong. */
function wordsOf(html: string): string {
  const kept: string[] = [];
  let skipped: string | undefined;
  for (const piece of html
    .slice(0, HTML_MAX)
    .split('<')
    .map((one, index) => (index === 0 ? `>${one}` : one))) {
    const end = piece.indexOf('>');
    const tag = /^\/?[a-z0-9]+/i.exec(piece)?.[0]?.toLowerCase();
    if (skipped !== undefined && tag !== `/${skipped}`) continue;
    skipped = tag === 'script' || tag === 'style' || tag === 'head' ? tag : undefined;
    if (skipped === undefined && end >= 0) kept.push(piece.slice(end + 1).trim());
  }
  return kept
    .filter((words) => words !== '')
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

const typeOf = (headers: Headers): string => (headers.get('content-type')?.split(';')[0] ?? '').trim().toLowerCase();

const shownType = (type: string): string => (/^[\w.+/-]{1,100}$/.test(type) ? type : 'unknown');

/** Media types that say nothing about the content. Such content counts as text if it is valid UTF-8 without null characters. */
const UNTYPED: ReadonlySet<string> = new Set(['', 'application/octet-stream']);

/**
 * Returns a body as text; undefined if its media type is not one of text, or is one of `UNTYPED` and the bytes are not text.
 */
function textOf({ bytes, headers, isCut }: RestResponse, type: string): string | undefined {
  const isTyped = TEXT.test(type) || JSON_TYPE.test(type);
  if (!isTyped && !UNTYPED.has(type)) return undefined;
  const charset = /charset="?([\w-]{1,40})/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8';
  try {
    const text = new TextDecoder(isTyped ? charset : 'utf-8', { fatal: !isTyped }).decode(bytes, { stream: isCut });
    return !isTyped && text.includes('\0') ? undefined : text;
  } catch {
    // A charset that nobody knows, or bytes that are no text.
    return isTyped ? new TextDecoder().decode(bytes) : undefined;
  }
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // The API may be wrong about its type; the text is shown with a note that says so.
    return undefined;
  }
}

/** The number of bytes that are turned into text at once. */
const CHUNK = 32_768;

function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}
