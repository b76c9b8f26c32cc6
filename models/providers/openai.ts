import { createOpenAI } from '@ai-sdk/openai';
import { wrapLanguageModel } from 'ai';
import { defined } from '#lib/base/defined.ts';
import { ownApiFetch, understoodParts } from '../dialects/own-api.ts';
import { bearer, chatCompletions, readModels } from './compatible.ts';
import { requestModels } from './endpoint.ts';
import { isOwnAddress, type Provider, reasoningTag } from './provider.ts';

const ID = 'openai';
const LABEL = 'OpenAI';
const BASE_URL = 'https://api.openai.com/v1';

/** The parts for servers that only imitate OpenAI: they support its chat completions, not its responses API. */
const elsewhere = chatCompletions(ID, BASE_URL);

/** OpenAI, through its responses API; at any other address than its own, through chat completions. */
export const openai: Provider = {
  id: ID,
  label: LABEL,
  baseURL: BASE_URL,
  prefixes: ['OPENAI'],
  keyVariables: ['OPENAI_API_KEY'],
  needsKey: (config) => isOwnAddress(openai, config),
  traits: (config) => ({
    ...elsewhere.traits(config),
    keepsReasoning: true,
    ...(isOwnAddress(openai, config) && {
      takesResultImages: true,
      rendersTemplates: false,
      codec: 'json',
      singleCallOptions: { openai: { parallelToolCalls: false } },
      reasoningTag: reasoningTag(config, undefined),
    }),
  }),
  create(config, options) {
    if (!isOwnAddress(openai, config)) return elsewhere.create(config, options);
    const { baseURL, model } = config;
    const { apiKey = '', fetch } = options;
    return wrapLanguageModel({
      model: createOpenAI({ ...(baseURL === undefined ? {} : { baseURL }), apiKey, fetch: ownApiFetch(fetch) })(model),
      middleware: understoodParts,
    });
  },
  options: (config, threadId) => ({
    openai: {
      store: false,
      ...defined({ reasoningEffort: config.reasoning?.effort }),
      // Leads requests with the same beginning to the same cache. Servers that imitate OpenAI may refuse it.
      ...(threadId !== undefined && isOwnAddress(openai, config) && { promptCacheKey: threadId }),
    },
  }),
  listModels: (endpoint) =>
    requestModels({ label: LABEL, ...endpoint, headers: bearer(endpoint.apiKey), read: readModels }),
};
