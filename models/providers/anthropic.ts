import { createAnthropic } from '@ai-sdk/anthropic';
import type { JSONObject } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import * as z from 'zod';
import { ownApiFetch, understoodParts } from '../dialects/own-api.ts';
import { cachedPrefix } from './cached-prefix.ts';
import { requestModels } from './endpoint.ts';
import { isOwnAddress, type Provider, reasoningTag, THINKING_BUDGETS } from './provider.ts';

const LABEL = 'Anthropic';

const listSchema = z.object({
  data: z.array(z.looseObject({ id: z.string(), display_name: z.string().optional() })),
});

/** Anthropic's messages API. It signs its reasoning and verifies the signatures in the history. */
export const anthropic: Provider = {
  id: 'anthropic',
  label: LABEL,
  baseURL: 'https://api.anthropic.com/v1',
  prefixes: ['ANTHROPIC'],
  keyVariables: ['ANTHROPIC_API_KEY'],
  needsKey: (config) => isOwnAddress(anthropic, config),
  traits: (config) => ({
    keepsReasoning: true,
    takesResultImages: true,
    rendersTemplates: !isOwnAddress(anthropic, config),
    reasoningTag: reasoningTag(config, undefined),
    toolName: /^[\w-]{1,64}$/,
    codec: 'json',
    singleCallOptions: { anthropic: { disableParallelToolUse: true } },
  }),
  create: ({ baseURL, model }, { apiKey = '', fetch }) =>
    wrapLanguageModel({
      model: createAnthropic({ ...(baseURL === undefined ? {} : { baseURL }), apiKey, fetch: ownApiFetch(fetch) })(
        model,
      ),
      middleware: [cachedPrefix, understoodParts],
    }),
  options({ reasoning }): Record<string, JSONObject> {
    const budgetTokens = reasoning?.effort && THINKING_BUDGETS[reasoning.effort];
    return budgetTokens === undefined ? {} : { anthropic: { thinking: { type: 'enabled', budgetTokens } } };
  },
  listModels: ({ apiKey, ...endpoint }) =>
    requestModels({
      label: LABEL,
      apiKey,
      ...endpoint,
      headers: apiKey === undefined ? {} : { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
      read: (body) =>
        listSchema
          .parse(body)
          .data.map(({ id, display_name: name }) => ({ model: id, ...(name ? { name } : {}), vision: true })),
    }),
};
