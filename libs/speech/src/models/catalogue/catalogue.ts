import { AIDS } from './aids.js';
import type { CatalogueModel } from './entry.js';
import { OTHER_RECOGNIZERS } from './recognizers.js';
import { WHISPER } from './whisper.js';

/** Every model that can be fetched by name, none of them behind an account. */
export const CATALOGUE: readonly CatalogueModel[] = [...WHISPER, ...OTHER_RECOGNIZERS, ...AIDS];
