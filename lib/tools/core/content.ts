import * as z from 'zod';

/** One piece of what a tool returns. */
export const contentBlockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  /** `data`: base64. `alt`: what the image shows, for models and people who cannot see it. */
  z.object({
    type: z.literal('image'),
    mediaType: z.string().regex(/^image\/[\w.+-]+$/, 'must be an image type, such as image/png'),
    data: z.base64(),
    alt: z.string().optional(),
  }),
  /** A link to something that the tool has left elsewhere. Nothing follows it by itself. */
  z.object({
    type: z.literal('resource'),
    uri: z.string(),
    name: z.string().optional(),
    mediaType: z.string().optional(),
    description: z.string().optional(),
  }),
  /** A value that stays a value: it is never interpreted. */
  z.object({ type: z.literal('json'), value: z.unknown() }),
]);

/** One piece of what a tool returns. */
export type ContentBlock = z.infer<typeof contentBlockSchema>;

/** The output of a tool for the model: one text, or blocks. */
export const toolContentSchema = z.union([z.string(), z.array(contentBlockSchema)]);

/** The output of a tool for the model. */
export type ToolContent = z.infer<typeof toolContentSchema>;

/** The content in blocks. */
export const blocksOf = (content: ToolContent): readonly ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** The one text form of a content, for models that read text only, for exports and for search. */
export const contentText = (content: ToolContent): string =>
  typeof content === 'string' ? content : content.map(blockText).join('\n');

/** A block as text. */
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
