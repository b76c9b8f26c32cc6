import type { CallToolResult } from '@modelcontextprotocol/client';
import { startOf } from '#lib/base/cut-text.ts';
import { defined } from '#lib/base/defined.ts';
import type { ContentBlock } from '#lib/tools/core/content.ts';
import { contentText } from '#lib/tools/core/content.ts';
import type { ToolErrorCode } from '#lib/tools/core/tool-call.ts';
import { MCP_LIMITS } from './limits.ts';
import type { McpProblem } from './problem.ts';

/**
 * The outcome of a call of a server's tool, as plain data. `content`: the result for the model. `data`: the structured result.
 */
export type McpOutcome = { type: 'output'; content: ContentBlock[]; data?: unknown } | McpFailure;

/**
 * The failure of a call. `isDisconnected`: there is no connection any more, or the server has, or may have, forgotten it.
 * `wasSent`: only with `isDisconnected`, and only if the call had been sent: the server says that it did not run the call
 * (`not-run`), or does not say (`unknown`). `problem`: the reason why the server cannot be used at the moment.
 */
export interface McpFailure {
  type: 'failure';
  code: ToolErrorCode;
  message: string;
  isDisconnected?: true;
  wasSent?: 'not-run' | 'unknown';
  problem?: McpProblem;
}

/**
 * Converts a server's result to the studio's form, within limits. Notes say what was left out. A result that reports an error,
 * or whose structured part is too large, is a failure.
 */
export function outcomeOf(result: CallToolResult): McpOutcome {
  const content = within(result.content.slice(0, MCP_LIMITS.resultBlocks).flatMap(toBlocks));
  const left = result.content.length - MCP_LIMITS.resultBlocks;
  if (left > 0) content.push(note(`${left} more parts of the result were left out`));
  if (result.isError === true) {
    const message = contentText(content).trim();
    return { type: 'failure', code: 'failed', message: message === '' ? 'The server gave no reason.' : message };
  }
  const data = result.structuredContent;
  if (data === undefined) return { type: 'output', content };
  const text = JSON.stringify(data);
  if (text.length > MCP_LIMITS.resultData)
    return {
      type: 'failure',
      code: 'failed',
      message: `It ran, but its structured result has ${text.length} characters; the limit is ${MCP_LIMITS.resultData}. Ask for less.`,
    };
  // Servers should repeat it as text; a model reads only the content.
  return { type: 'output', content: content.length > 0 ? content : [{ type: 'json', value: data }], data };
}

const note = (text: string): ContentBlock => ({ type: 'text', text: `[${text}]` });

const IMAGE = /^image\/[\w.+-]+$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function toBlocks(block: CallToolResult['content'][number]): ContentBlock[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'image':
      return [imageOf(block.mimeType, block.data)];
    case 'audio':
      return [note(`Audio, ${block.mimeType.slice(0, MCP_LIMITS.name)}: not shown`)];
    case 'resource_link': {
      const { uri, name, mimeType, description } = block;
      return [linkTo({ uri, name, mimeType, description })];
    }
    case 'resource': {
      const { resource } = block;
      const { uri, mimeType } = resource;
      const link = linkTo({ uri, mimeType });
      if ('text' in resource) return [link, { type: 'text', text: resource.text }];
      return mimeType?.startsWith('image/') === true ? [link, imageOf(mimeType, resource.blob)] : [link];
    }
    default:
      return [note('A part of the result has a type that the studio does not know')];
  }
}

interface Link {
  uri: string;
  name?: string | undefined;
  mimeType?: string | undefined;
  description?: string | undefined;
}

const linkTo = ({ uri, name, mimeType, description }: Link): ContentBlock => ({
  type: 'resource',
  uri,
  ...defined({ name, mediaType: mimeType, description }),
});

const imageOf = (mediaType: string, data: string): ContentBlock =>
  mediaType.length <= MCP_LIMITS.name && IMAGE.test(mediaType) && BASE64.test(data)
    ? { type: 'image', mediaType, data }
    : note(`Image, ${mediaType.slice(0, MCP_LIMITS.name)}: cannot be shown`);

/** Returns the blocks up to the limits of text and images. Notes say what was left out. */
function within(blocks: readonly ContentBlock[]): ContentBlock[] {
  let text: number = MCP_LIMITS.resultText;
  let images: number = MCP_LIMITS.resultImages;
  return blocks.flatMap((block): ContentBlock[] => {
    if (block.type === 'image') {
      images -= block.data.length;
      return images >= 0 ? [block] : [note(`Image, ${block.mediaType}: left out, because the result is too large`)];
    }
    const whole = block.type === 'text' ? block.text : JSON.stringify(block);
    if (text <= 0) return [];
    const left = text;
    text -= whole.length;
    if (whole.length <= left) return [block];
    const kept = block.type === 'text' ? [{ ...block, text: startOf(block.text, left) }] : [];
    return [...kept, note(`The result was cut after ${MCP_LIMITS.resultText} characters`)];
  });
}
