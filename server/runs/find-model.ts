import type { ModelConfig as PersonalModel } from '#lib/wire/model-config.ts';
import { ModelUnavailable, ownModel } from '#models/own-model.ts';
import type { RunContext } from '#server/graph/state.ts';
import { stepErrorsAsProblems } from '#server/http/personal-key.ts';
import { HttpProblem } from '#server/http/problem.ts';
import type { Services } from '#server/services.ts';

type FoundModel = Pick<RunContext, 'model' | 'apiKey' | 'access'>;

/**
 * Finds the model that a request names, and its key: in the person's own connection (`personal`), or among the server's
 * models. Rejects with `HttpProblem` 400 for an unknown model, a missing key, or a connection that may not be used.
 */
export async function findModel(
  { models, personal }: Pick<Services, 'models' | 'personal'>,
  { model: id, personal: own }: { model: string; personal?: PersonalModel | undefined },
  personalKey: string | undefined,
): Promise<FoundModel> {
  if (own !== undefined) return stepErrorsAsProblems(() => personal.resolve(id, own, personalKey));
  try {
    return await ownModel(models, id, process.env);
  } catch (error) {
    throw error instanceof ModelUnavailable ? new HttpProblem(400, error.code, error.message) : error;
  }
}
