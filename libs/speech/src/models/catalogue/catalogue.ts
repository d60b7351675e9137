import { AUXILIARY_MODELS } from './auxiliary-models.js';
import type { CatalogueModel } from './catalogue-model.js';
import { NON_WHISPER_RECOGNIZERS } from './non-whisper-recognizers.js';
import { RECOGNIZER_RANKS_AND_MIN_ACCURACIES } from './recognizer-ratings.js';
import { WHISPER_MODELS } from './whisper.js';

/** None requires an account. */
export const MODEL_CATALOGUE: readonly CatalogueModel[] = [
  ...[...WHISPER_MODELS, ...NON_WHISPER_RECOGNIZERS].map(addRating),
  ...AUXILIARY_MODELS,
];

function addRating(model: CatalogueModel): CatalogueModel {
  const rating = RECOGNIZER_RANKS_AND_MIN_ACCURACIES[model.name];
  return rating ? { ...model, rating } : model;
}
