import { join } from 'node:path';
import { readModelCheck } from '../models/check/model-check.js';
import type { InstalledModel } from '../models/installed-model.js';

export interface UsableAndRejectedModels {
  usable: InstalledModel[];
  rejected: { name: string; problem: string }[];
}

/**
 * Separates the models that failed their check. Models that were not checked are usable: the service does without an auxiliary
 * model that fails.
 * @param folder of all models
 */
export async function partitionModelsByStoredCheckResult(
  models: readonly InstalledModel[],
  folder: string,
): Promise<UsableAndRejectedModels> {
  const result: UsableAndRejectedModels = { usable: [], rejected: [] };
  for (const model of models) {
    const problem = (await readModelCheck(join(folder, model.name)))?.problem ?? null;
    if (problem === null) result.usable.push(model);
    else result.rejected.push({ name: model.name, problem });
  }
  return result;
}
