import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/client';
import { MCP_LIMITS } from './limits.ts';

/** A file of a server that is to be attached to a message. `data`: base64. */
type AttachedFile =
  | { type: 'text'; name: string; mediaType: string; text: string }
  | { type: 'image'; name: string; mediaType: string; data: string };

/** The content of a server's prompt or resource, for a message. Plain data, within `MCP_LIMITS`. */
export interface AttachedContent {
  /** The text to be written into the message; '' for a resource. */
  text: string;
  files: AttachedFile[];
  /** Sentences that say what was left out, and why. */
  left: string[];
}

const IMAGE = /^image\/(png|jpeg|gif|webp|avif)$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const isBase64 = (text: string): boolean => text.length % 4 === 0 && BASE64.test(text);

/** Turns the parts of a resource into files: texts and images, within `MCP_LIMITS`. `left` says what was left out. */
export function resourceContent({ contents }: ReadResourceResult): AttachedContent {
  const content = new Collector();
  for (const part of contents) content.add(part);
  return content.end();
}

/**
 * Turns the messages of a prompt into a text, and its images and embedded resources into files, within `MCP_LIMITS`. `left`
 * says what was left out.
 */
export function promptContent({ messages }: GetPromptResult): AttachedContent {
  const content = new Collector();
  for (const { role, content: block } of messages) {
    if (block.type === 'text') content.write(role, block.text);
    else if (block.type === 'resource') content.add(block.resource);
    else if (block.type === 'resource_link') content.write(role, `[${block.name}] ${block.uri}`);
    else if (block.type === 'image') content.add({ uri: 'image', mimeType: block.mimeType, blob: block.data });
    else content.leave('A part of it has a form that cannot be put into a message.');
  }
  return content.end();
}

type Resource = ReadResourceResult['contents'][number];

/** Collects what is put into a message, as far as the limits allow. */
class Collector {
  readonly #texts: { role: string; text: string }[] = [];
  readonly #files: AttachedFile[] = [];
  readonly #left = new Set<string>();
  #room: number = MCP_LIMITS.attached;
  #textRoom: number = MCP_LIMITS.promptText;
  #parts = 0;

  write(role: string, text: string): void {
    if (this.#isRoom(text, text.length <= this.#textRoom)) {
      this.#textRoom -= text.length;
      this.#texts.push({ role, text });
    }
  }

  add(resource: Resource): void {
    const { uri, mimeType = 'text/plain' } = resource;
    const name = uri.slice(0, MCP_LIMITS.uri);
    if ('text' in resource) {
      if (this.#isRoom(resource.text))
        this.#files.push({ type: 'text', name, mediaType: mediaTypeOf(mimeType), text: resource.text });
      return;
    }
    if (!IMAGE.test(mimeType) || !isBase64(resource.blob))
      this.leave('It has parts that are neither text nor an image.');
    else if (this.#isRoom(resource.blob))
      this.#files.push({ type: 'image', name, mediaType: mimeType, data: resource.blob });
  }

  leave(reason: string): void {
    this.#left.add(reason);
  }

  end(): AttachedContent {
    const isDialogue = this.#texts.some(({ role }) => role !== 'user');
    const text = this.#texts.map((one) => (isDialogue ? `${one.role}: ${one.text}` : one.text)).join('\n\n');
    return { text, files: this.#files, left: [...this.#left] };
  }

  #isRoom(content: string, fits = true): boolean {
    this.#parts += 1;
    if (fits && this.#parts <= MCP_LIMITS.attachedParts && content.length <= this.#room) {
      this.#room -= content.length;
      return true;
    }
    this.leave('It is too large. What did not fit was left out.');
    return false;
  }
}

/** Returns the media type itself if a text can be attached with it, and `text/plain` otherwise. */
const mediaTypeOf = (mediaType: string): string =>
  /^text\/[\w.+-]{1,60}$/.test(mediaType) || mediaType === 'application/json' ? mediaType : 'text/plain';
