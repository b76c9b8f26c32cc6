import type { ModelConfig as PersonalModel } from '#lib/api/model-config.ts';
import type { RunContext } from '#server/graph/state.ts';
import { withProblems } from '#server/http/personal-key.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { keyVariables, readApiKey } from '#server/models/api-key.ts';
import type { ResolvedModelConfig } from '#server/models/config.ts';
import { providerOf } from '#server/models/providers/providers.ts';
import type { Services } from '#server/services.ts';

type FoundModel = Pick<RunContext, 'model' | 'apiKey' | 'access'>;

/**
 * The model of a request, and its key: of the person's own connection, or of the server. Throws `HttpProblem` 400 for an
 * unknown model, a missing key, or a connection that may not be used.
 */
export async function findModel(
  { models, personal }: Pick<Services, 'models' | 'personal'>,
  { model: id, personal: own }: { model: string; personal?: PersonalModel | undefined },
  personalKey: string | undefined,
): Promise<FoundModel> {
  if (own !== undefined) return withProblems(() => personal.resolve(id, own, personalKey));
  const model = await models.get(id);
  if (model === undefined) {
    throw new HttpProblem(
      400,
      'no-model',
      `The model “${id.replace(/^personal-[\w-]+\//, '')}” is no longer available. Choose another one.`,
    );
  }
  const apiKey = readApiKey(model, process.env);
  if (apiKey === undefined && needsKey(model)) {
    const [variable] = keyVariables(model);
    throw new HttpProblem(
      400,
      'key-missing',
      `The model "${model.name}" needs an API key. Set ${variable} in the server’s environment and restart it, or choose another model.`,
    );
  }
  return { model, apiKey };
}

const needsKey = (model: ResolvedModelConfig): boolean =>
  model.apiKeyEnv !== undefined || providerOf(model).needsKey(model);
