import { createRequire } from 'node:module';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import type { ToolCallingMode } from '#lib/messages/message.ts';
import type { ProtocolSettings } from '#lib/prompts/codec.ts';
import { CODEC_IDS } from '#lib/prompts/codecs/codecs.ts';

/** One way of giving a model its tools. */
export interface Arm {
  /** As it is given on the command line, and recorded. */
  name: string;
  toolCalling: ToolCallingMode;
  protocol: Partial<ProtocolSettings>;
  /** Puts a peer's way around the provider's model. */
  wrap(model: LanguageModelV4): LanguageModelV4;
}

/**
 * The protocols of `@ai-sdk-tool/parser`, each of which gives the tools in a prompt of its own. Written for the AI SDK's
 * previous middleware, whose interface is the same in what they use.
 */
const PEERS: Readonly<Record<string, string>> = {
  'peer-hermes': 'hermesToolMiddleware',
  'peer-xml': 'morphXmlToolMiddleware',
  'peer-yaml': 'yamlXmlToolMiddleware',
  'peer-qwen3coder': 'qwen3CoderToolMiddleware',
};

/** The middleware of a peer, which is installed only for benchmarks. */
function peerMiddleware(exported: string): LanguageModelMiddleware {
  const parser: Record<string, LanguageModelMiddleware> = createRequire(new URL('../peers/', import.meta.url))(
    '@ai-sdk-tool/parser',
  );
  const middleware = parser[exported];
  if (middleware === undefined) throw new Error(`@ai-sdk-tool/parser has no ${exported}.`);
  return { ...middleware, specificationVersion: 'v4' };
}

const OPTIONS = ['compact', 'full', 'examples', 'bare'] as const;

/** The forms of an arm's name, for the usage text. */
export const ARM_FORMS = [
  `native, or a codec (${CODEC_IDS.join(', ')}); with +compact or +full, +examples or +bare, as in json+compact+bare`,
  `a peer: ${Object.keys(PEERS).join(', ')}`,
] as const;

/** The arms that are played if none are named. */
export const DEFAULT_ARMS: readonly string[] = ['native', ...CODEC_IDS, ...Object.keys(PEERS)];

/** The arm with a name; undefined if there is none. */
export function armOf(name: string): Arm | undefined {
  const peer = Object.hasOwn(PEERS, name) ? PEERS[name] : undefined;
  if (peer !== undefined)
    return {
      name,
      toolCalling: 'native',
      protocol: { compact: false },
      wrap: (model) => wrapLanguageModel({ model, middleware: peerMiddleware(peer) }),
    };
  const [form = '', ...options] = name.split('+');
  const codec = CODEC_IDS.find((id) => id === form);
  if (codec === undefined && form !== 'native') return undefined;
  if (!options.every((option) => OPTIONS.some((known) => known === option))) return undefined;
  return {
    name,
    toolCalling: codec === undefined ? 'native' : 'prompted',
    protocol: {
      ...(codec !== undefined && { codec }),
      ...(options.includes('compact') && { compact: true }),
      ...(options.includes('full') && { compact: false }),
      ...(options.includes('examples') && { examples: true }),
      ...(options.includes('bare') && { examples: false }),
    },
    wrap: (model) => model,
  };
}
