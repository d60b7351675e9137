import { join } from 'node:path';
import { createAuxiliaryModels } from '../../auxiliary-models/auxiliary-models.js';
import { partitionModelsByStoredCheckResult } from '../../auxiliary-models/partition-models-by-stored-check-result.js';
import { SherpaHostPool } from '../../sherpa/host/sherpa-host-pool.js';
import type { CatalogueModel } from '../catalogue/catalogue-model.js';
import { DEFAULT_RECOGNIZER_RANK_AND_MIN_ACCURACY } from '../catalogue/recognizer-ratings.js';
import type { InstalledModel } from '../installed-model.js';
import { getInstalledModel, listInstalledModels } from '../installed-models.js';
import { checkAuxiliaryModel } from './check-auxiliary-model.js';
import { checkRecognizer } from './check-recognizer.js';
import { type ModelCheckRecord, writeModelCheck } from './model-check.js';
import type { ReferenceDialogue } from './transcribe-dialogue.js';

export interface ModelCheckOptions {
  /** Folder of all models. */
  folder: string;
  catalogue: readonly CatalogueModel[];
  dialogue: ReferenceDialogue;
  signal: AbortSignal;
}

/**
 * Runs a model on the dialogue, with the auxiliary models that are installed, and keeps the result beside its manifest.
 * @returns null if the model is not used without another one that is missing
 * @throws ModelNotFoundError; InvalidModelError; AuxiliaryModelError of another model; errors of the recording and of the
 *   file system; the reason of the signal
 */
export async function checkModelAndSaveResult(
  name: string,
  { folder, catalogue, dialogue, signal }: ModelCheckOptions,
): Promise<ModelCheckRecord | null> {
  const model = await getInstalledModel(folder, name);
  const { usable } = await partitionModelsByStoredCheckResult(await listInstalledModels(folder), folder);
  const { minWordsRight } =
    catalogue.find((entry) => entry.name === name)?.rating ?? DEFAULT_RECOGNIZER_RANK_AND_MIN_ACCURACY;
  const auxiliaryModels = createModelsFor(model, usable);
  const options = { dialogue, auxiliaryModels, signal };
  try {
    const result =
      model.kind === 'recognizer'
        ? await checkRecognizer(model, { ...options, minWordsRight })
        : await checkAuxiliaryModel(model, options);
    return result && (await writeModelCheck(join(folder, name), result));
  } finally {
    await auxiliaryModels.close();
  }
}

/** The model itself, also if it failed an earlier check, and models of the other kinds. */
function createModelsFor(model: InstalledModel, usable: readonly InstalledModel[]) {
  const models = [model, ...usable.filter(({ kind }) => kind !== model.kind)];
  const files = models.flatMap((each) => Object.values(each.files));
  return createAuxiliaryModels(models, new SherpaHostPool({ hosts: 1, models: files }));
}
