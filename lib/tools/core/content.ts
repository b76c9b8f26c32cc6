import * as z from 'zod';

/** One piece of what a tool returns. */
const contentBlockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  /** `data`: base64. `alt`: what the image shows, for models and people who cannot see it. */
  z.object({
    type: z.literal('image'),
    mediaType: z.string().regex(/^image\/[\w.+-]+$/, 'must be an image type, such as image/png'),
    data: z.base64(),
    alt: z.string().optional(),
  }),
  /** A link to something that the tool offers elsewhere. It is never followed automatically. */
  z.object({
    type: z.literal('resource'),
    uri: z.string(),
    name: z.string().optional(),
    mediaType: z.string().optional(),
    description: z.string().optional(),
  }),
  /** Any JSON value. Models read it as JSON text; nothing interprets it. */
  z.object({ type: z.literal('json'), value: z.unknown() }),
]);

/** One piece of what a tool returns: a text, an image, a link to a resource, or a JSON value. */
export type ContentBlock = z.infer<typeof contentBlockSchema>;

/** The output of a tool for the model: one text, or blocks. */
export const toolContentSchema = z.union([z.string(), z.array(contentBlockSchema)]);

/** The output of a tool for the model: one text, or a list of blocks. */
export type ToolContent = z.infer<typeof toolContentSchema>;

/** A tool's content as a list of blocks; a plain text becomes one text block. */
export const blocksOf = (content: ToolContent): readonly ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/**
 * A tool's content as one text, with descriptions of images and resources in brackets: for models that read text only, and for
 * exports.
 */
export const contentText = (content: ToolContent): string =>
  typeof content === 'string' ? content : content.map(blockText).join('\n');

/** A block as text: the text itself, JSON, or a description in brackets of an image or a resource. */
export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return `[Image, ${block.mediaType}${block.alt === undefined ? '' : `: ${block.alt}`}]`;
    case 'resource': {
      const { name, uri, mediaType, description } = block;
      const head = [name, mediaType].filter((part) => part !== undefined).join(', ');
      return `[Resource${head === '' ? '' : `, ${head}`}: ${uri}]${description === undefined ? '' : `\n${description}`}`;
    }
    case 'json':
      return JSON.stringify(block.value) ?? '';
  }
}
