import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { estimateModelMemoryBytes } from '../../machine/chunk-concurrency.js';
import type { CatalogueModel } from '../../models/catalogue/catalogue-model.js';
import { DEFAULT_RECOGNIZER_RANK_AND_MIN_ACCURACY } from '../../models/catalogue/recognizer-ratings.js';
import { type ModelCheckRecord, readModelCheck } from '../../models/check/model-check.js';
import type { InstalledModel } from '../../models/installed-model.js';

/** An installed recogniser, with what the choice of an engine depends on. */
export interface InstalledRecognizerCandidate {
  model: InstalledModel;
  rank: number;
  /** Memory of a process with the model. */
  copyBytes: number;
  check: Pick<ModelCheckRecord, 'problem'> | null;
}

/** @param folder of all models */
export async function readInstalledRecognizerCandidate(
  model: InstalledModel,
  folder: string,
  catalogue: readonly CatalogueModel[],
): Promise<InstalledRecognizerCandidate> {
  const check = await readModelCheck(join(folder, model.name));
  const { rank } =
    catalogue.find(({ name }) => name === model.name)?.rating ?? DEFAULT_RECOGNIZER_RANK_AND_MIN_ACCURACY;
  const sizes = await Promise.all(Object.values(model.files).map(async (path) => (await stat(path)).size));
  const fileBytes = sizes.reduce((sum, size) => sum + size, 0);
  return { model, rank, check, copyBytes: estimateModelMemoryBytes(fileBytes, check?.memoryBytes) };
}

/** Compares by the wanted languages that a recogniser knows, then by rank. The better one is first. */
export function compareRecognizers(
  a: RatedRecognizer,
  b: RatedRecognizer,
  wantedLanguages: readonly string[],
): number {
  return (
    countKnownLanguages(b.languages, wantedLanguages) - countKnownLanguages(a.languages, wantedLanguages) ||
    b.rank - a.rank
  );
}

export interface RatedRecognizer {
  languages: string[] | 'any';
  rank: number;
}

/** Regions and scripts do not matter: `pt` knows `pt-BR`. */
function countKnownLanguages(known: string[] | 'any', wanted: readonly string[]): number {
  if (known === 'any') return wanted.length;
  const primary = new Set(known.map(toPrimaryLanguage));
  return wanted.filter((language) => primary.has(toPrimaryLanguage(language))).length;
}

function toPrimaryLanguage(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? tag;
}
