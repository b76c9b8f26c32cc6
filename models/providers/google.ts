import { createGoogle } from '@ai-sdk/google';
import { wrapLanguageModel } from 'ai';
import * as z from 'zod';
import { ownApiFetch, understoodParts } from '../dialects/own-api.ts';
import { requestModels } from './endpoint.ts';
import { isOwnAddress, type Provider, reasoningTag, THINKING_BUDGETS } from './provider.ts';

const LABEL = 'Google Gemini';

const listSchema = z.object({
  models: z.array(
    z.looseObject({
      name: z.string(),
      displayName: z.string().optional(),
      inputTokenLimit: z.number().optional(),
      supportedGenerationMethods: z.array(z.string()).optional(),
    }),
  ),
});

/** Google's Gemini API. It signs its thoughts and wants the signatures back. */
export const google: Provider = {
  id: 'google',
  label: LABEL,
  baseURL: 'https://generativelanguage.googleapis.com/v1beta',
  prefixes: ['GEMINI', 'GOOGLE'],
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  needsKey: (config) => isOwnAddress(google, config),
  traits: (config) => ({
    keepsReasoning: true,
    takesResultImages: true,
    rendersTemplates: !isOwnAddress(google, config),
    reasoningTag: reasoningTag(config, undefined),
    toolName: /^[A-Za-z_][\w-]{0,63}$/,
    codec: 'json',
  }),
  create: ({ baseURL, model }, { apiKey = '', fetch }) =>
    wrapLanguageModel({
      model: createGoogle({ ...(baseURL === undefined ? {} : { baseURL }), apiKey, fetch: ownApiFetch(fetch) })(model),
      middleware: understoodParts,
    }),
  options: ({ reasoning }) => ({
    google: {
      thinkingConfig: {
        includeThoughts: true,
        ...(reasoning?.effort === undefined ? {} : { thinkingBudget: THINKING_BUDGETS[reasoning.effort] }),
      },
    },
  }),
  listModels: ({ apiKey, ...endpoint }) =>
    requestModels({
      label: LABEL,
      apiKey,
      ...endpoint,
      query: '?pageSize=1000',
      headers: apiKey === undefined ? {} : { 'x-goog-api-key': apiKey },
      read: readModels,
    }),
};

const readModels = (body: unknown) =>
  listSchema
    .parse(body)
    .models.filter(({ supportedGenerationMethods }) => supportedGenerationMethods?.includes('generateContent') ?? true)
    .map(({ name, displayName, inputTokenLimit }) => ({
      model: name.replace(/^models\//, ''),
      ...(displayName ? { name: displayName } : {}),
      ...(inputTokenLimit ? { contextSize: inputTokenLimit } : {}),
    }));
