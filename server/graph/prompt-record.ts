import { createHash } from 'node:crypto';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';

/** A prompt as it leaves for the provider, in either mode: what the context inspector shows. */
export interface PromptRecord {
  prompt: LanguageModelV4CallOptions['prompt'];
  tools: LanguageModelV4CallOptions['tools'];
  toolChoice: LanguageModelV4CallOptions['toolChoice'];
}

/** Hands each prompt to `onPrompt` on its way out. Wrap it next to the provider's model. */
export function recordPrompt(onPrompt: (record: PromptRecord) => void): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      onPrompt({ prompt: params.prompt, tools: params.tools, toolChoice: params.toolChoice });
      return params;
    },
  };
}

/** SHA-256 of the prompt in a fixed order of keys, by which a rebuilt prompt is known to be the one that was sent. */
export function hashPrompt(record: PromptRecord): string {
  return createHash('sha256').update(canonicalJson(record)).digest('hex');
}

/** JSON with sorted keys; bytes as base64; absent and undefined are the same. */
function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // A date, a URL: what stands for it in JSON.
  if ('toJSON' in value) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`;
}
