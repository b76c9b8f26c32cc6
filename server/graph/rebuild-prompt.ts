import { toAgentLimits } from '#config/agent-limits.ts';
import type { ServerEnv } from '#config/env.ts';
import { rebuildPrompt as rebuild } from '#lib/agent/rebuild-prompt.ts';
import type { Catalogue } from '#lib/tools/catalogue/catalogue.ts';
import type { PromptAnswer, PromptRequest } from '#lib/wire/prompt.ts';
import type { ResolvedModelConfig } from '#models/config.ts';
import { toAgentModel } from '#models/language-model.ts';

/**
 * Rebuilds the prompt of an earlier step, so that it can be shown. `messages`: the branch up to the step; its last turn ends
 * before the step. `settings`: those that the step recorded. `catalogue`: the tools that the model was offered. Nothing is sent
 * to any model. Rejects with `UnknownCodecError` if the step names a codec (a form of calls in text) that this server does not
 * have.
 */
export const rebuildPrompt = (
  { messages, settings }: Pick<PromptRequest, 'messages' | 'settings'>,
  model: ResolvedModelConfig,
  env: ServerEnv,
  catalogue: Catalogue,
): Promise<PromptAnswer> =>
  rebuild({ messages, settings, model: toAgentModel(model, undefined, env), catalogue, limits: toAgentLimits(env) });
