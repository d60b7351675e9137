import { AUXILIARY_MODELS } from './auxiliary-models.js';
import type { CatalogueModel } from './catalogue-model.js';
import { OTHER_RECOGNIZERS } from './other-recognizers.js';
import { WHISPER_MODELS } from './whisper.js';

/** None requires an account. */
export const MODEL_CATALOGUE: readonly CatalogueModel[] = [
  ...WHISPER_MODELS,
  ...OTHER_RECOGNIZERS,
  ...AUXILIARY_MODELS,
];
