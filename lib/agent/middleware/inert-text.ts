import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';
import { defined } from '#lib/base/defined.ts';
import { JsonRestorer, makeInert, makeInertIn, Restorer, restoreJson } from '#lib/prompts/inert.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { OWN_METADATA_KEY } from './call-ids.ts';

type CallTool = NonNullable<LanguageModelV4CallOptions['tools']>[number];

/**
 * A middleware that keeps text in a prompt from being taken for a marker: of a template, by servers that render the prompt into
 * one text; or of the studio's own protocol, by any model in prompted mode. Breaks the markers (see `makeInert`) in everything
 * that users, tools, and models wrote, and in the descriptions and schemas of tools, and restores them in the model's output.
 * The system prompt, reasoning, the studio's own texts, and parts with a provider's own data are left unchanged (rule R17).
 */
export const inertText: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  transformParams: async ({ params }) => ({
    ...params,
    prompt: params.prompt.map(toInertMessage),
    ...defined({ tools: params.tools?.map(toInertTool) }),
  }),
  wrapStream: async ({ doStream }) => {
    const { stream, ...rest } = await doStream();
    return { ...rest, stream: stream.pipeThrough(restoreStream()) };
  },
};

/** Tools' schemas with broken markers, by the original schemas. Kept, because they go into each request and never change. */
const inertSchemas = new WeakMap<object, unknown>();

function inertSchema<Schema extends object>(schema: Schema): Schema {
  const inert = inertSchemas.get(schema) ?? makeInertIn(schema);
  inertSchemas.set(schema, inert);
  return inert as Schema;
}

/**
 * Returns the tool with all template markers broken (see `makeInert`) in its description, schema, and examples: those of an
 * external tool may come from anyone.
 */
export const inertSpec = (tool: ToolSpec): ToolSpec => ({
  ...tool,
  description: makeInert(tool.description),
  inputSchema: inertSchema(tool.inputSchema),
  ...(tool.examples !== undefined && { examples: makeInertIn(tool.examples) as NonNullable<ToolSpec['examples']> }),
});

function toInertTool(tool: CallTool): CallTool {
  if (tool.type !== 'function') return tool;
  return {
    ...tool,
    inputSchema: inertSchema(tool.inputSchema),
    ...(tool.description !== undefined && { description: makeInert(tool.description) }),
  };
}

function toInertMessage(message: LanguageModelV4Message): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return message;
    case 'user':
      return {
        ...message,
        content: message.content.map((part) =>
          isOwnText(part)
            ? part
            : part.type === 'text'
              ? { ...part, text: makeInert(part.text) }
              : { ...part, ...(part.filename !== undefined && { filename: makeInert(part.filename) }) },
        ),
      };
    case 'assistant':
      return {
        ...message,
        content: message.content.map((part) => {
          if (isOfProvider(part)) return part;
          if (part.type === 'text') return { ...part, text: makeInert(part.text) };
          return part.type === 'tool-call' ? { ...part, input: makeInertIn(part.input) } : part;
        }),
      };
    case 'tool':
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'tool-result' ? { ...part, output: toInertOutput(part.output) } : part,
        ),
      };
  }
}

/** Provider options that mark a text as the studio's own: its markers are intended, so `inertText` leaves them alone. */
export const OWN_TEXT = { [OWN_METADATA_KEY]: { isOwnText: true } };

const isOwnText = ({ providerOptions }: { providerOptions?: SharedV4ProviderOptions | undefined }): boolean =>
  providerOptions?.[OWN_METADATA_KEY]?.isOwnText === true;

/** Checks whether a part has a provider's own data, which must go back unchanged. The studio's own key doesn't count. */
const isOfProvider = ({ providerOptions = {} }: { providerOptions?: Record<string, unknown> | undefined }): boolean =>
  Object.keys(providerOptions).some((key) => key !== OWN_METADATA_KEY);

function toInertOutput(output: LanguageModelV4ToolResultOutput): LanguageModelV4ToolResultOutput {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: makeInert(output.value) };
    case 'json':
    case 'error-json':
      return { ...output, value: makeInertIn(output.value) as typeof output.value };
    case 'content':
      return {
        ...output,
        value: output.value.map((part) => (part.type === 'text' ? { ...part, text: makeInert(part.text) } : part)),
      };
    default:
      return output;
  }
}

function restoreStream(): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const texts = new Map<string, Restorer>();
  const inputs = new Map<string, JsonRestorer>();
  return new TransformStream({
    transform(part, controller) {
      switch (part.type) {
        case 'text-start':
          texts.set(part.id, new Restorer());
          break;
        case 'text-delta': {
          const delta = texts.get(part.id)?.push(part.delta) ?? part.delta;
          if (delta !== '') controller.enqueue({ ...part, delta });
          return;
        }
        case 'tool-input-start':
          inputs.set(part.id, new JsonRestorer());
          break;
        case 'tool-input-delta': {
          const delta = inputs.get(part.id)?.push(part.delta) ?? part.delta;
          if (delta !== '') controller.enqueue({ ...part, delta });
          return;
        }
        case 'tool-input-end': {
          const rest = inputs.get(part.id)?.end() ?? '';
          if (rest !== '') controller.enqueue({ type: 'tool-input-delta', id: part.id, delta: rest });
          break;
        }
        case 'tool-call':
          controller.enqueue({ ...part, input: restoreJson(part.input) });
          return;
        default:
      }
      controller.enqueue(part);
    },
  });
}
