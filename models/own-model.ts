import type { Environment } from '#config/env.ts';
import { keyVariables, readApiKey } from './api-key.ts';
import type { ResolvedModelConfig } from './config.ts';
import { providerOf } from './providers/providers.ts';
import type { ModelRegistry } from './registry.ts';

/** Thrown for a model that cannot be used. The message says what to do. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly code: 'no-model' | 'key-missing';

  constructor(code: 'no-model' | 'key-missing', message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Finds one of the server's own models, and its key. Rejects with `ModelUnavailable` if there is no such model, or its key is
 * missing.
 */
export async function ownModel(
  models: Pick<ModelRegistry, 'get'>,
  id: string,
  env: Environment,
): Promise<{ model: ResolvedModelConfig; apiKey: string | undefined }> {
  const model = await models.get(id);
  if (model === undefined)
    throw new ModelUnavailable(
      'no-model',
      `The model “${id.replace(/^personal-[\w-]+\//, '')}” is no longer available. Choose another one.`,
    );
  const apiKey = readApiKey(model, env);
  if (apiKey === undefined && needsKey(model)) {
    const [variable] = keyVariables(model);
    throw new ModelUnavailable(
      'key-missing',
      `The model "${model.name}" needs an API key. Set ${variable} in the server’s environment and restart it, or choose another model.`,
    );
  }
  return { model, apiKey };
}

const needsKey = (model: ResolvedModelConfig): boolean =>
  model.apiKeyEnv !== undefined || providerOf(model).needsKey(model);
