import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';
import { toBase64 } from '#lib/base/data-url.ts';
import { sha256 } from '#lib/base/sha256.ts';

/** A prompt as it is sent to the provider, with native or with prompted tools. The context inspector shows it. */
export interface PromptRecord {
  prompt: LanguageModelV4CallOptions['prompt'];
  tools: LanguageModelV4CallOptions['tools'];
  toolChoice: LanguageModelV4CallOptions['toolChoice'];
}

/**
 * Returns a middleware that passes each outgoing prompt to `onPrompt`. Must be wrapped directly around the provider's model.
 */
export function recordPrompt(onPrompt: (record: PromptRecord) => void): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      onPrompt({ prompt: params.prompt, tools: params.tools, toolChoice: params.toolChoice });
      return params;
    },
  };
}

/**
 * Resolves with the SHA-256 of a prompt, as JSON with sorted keys. It shows whether a rebuilt prompt is the one that was
 * sent.
 */
export const hashPrompt = (record: PromptRecord): Promise<string> => sha256(canonicalJson(record));

/**
 * Resolves with the hash of a prompt. Computes it in a later task, after the request has been sent, so that the request does
 * not wait for it.
 */
export async function hashLater(record: PromptRecord): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve));
  return hashPrompt(record);
}

/** JSON with sorted keys; bytes become base64; absent and undefined are equivalent. */
function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof Uint8Array) return JSON.stringify(toBase64(value));
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // Dates and URLs have a JSON form of their own.
  if ('toJSON' in value) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`;
}
