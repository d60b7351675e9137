import { computeModelMemoryBudgetBytes, estimateModelMemoryBytes } from '../../machine/chunk-concurrency.js';
import type { MachineResources } from '../../machine/machine-resources.js';
import type { CatalogueModel } from '../../models/catalogue/catalogue-model.js';
import type { InstalledModel } from '../../models/installed-model.js';
import { compareRecognizers } from './installed-recognizer-candidate.js';

export interface RecommendationRequest {
  catalogue: readonly CatalogueModel[];
  installed: readonly InstalledModel[];
  /** Recognisers that do not work here. */
  excluded: readonly string[];
  languages: readonly string[];
  machine: MachineResources;
}

/** One chunk at a time would waste the other cores. */
const MIN_COPIES = 2;

/** The best recogniser of the catalogue for this machine; undefined if it has too little memory for any. */
export function recommendRecognizer(request: RecommendationRequest): CatalogueModel | undefined {
  const { catalogue, excluded, languages, machine } = request;
  const copies = Math.min(MIN_COPIES, machine.cores);
  return catalogue
    .filter(
      (model) =>
        model.rating !== undefined &&
        !excluded.includes(model.name) &&
        copies * estimateModelMemoryBytes(sumCatalogueFileBytes(model)) <=
          computeModelMemoryBudgetBytes(machine),
    )
    .toSorted((a, b) => compareRecognizers(toRatedRecognizer(a), toRatedRecognizer(b), languages))[0];
}

/** Recommended auxiliary models of which none of the kind is installed. */
export function recommendMissingAuxiliaryModels({
  catalogue,
  installed,
}: Pick<RecommendationRequest, 'catalogue' | 'installed'>): CatalogueModel[] {
  return catalogue.filter(
    ({ recommended, kind }) => recommended === true && !installed.some((model) => model.kind === kind),
  );
}

export function sumCatalogueFileBytes({ files }: Pick<CatalogueModel, 'files'>): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

export function toRatedRecognizer({ languages, rating }: CatalogueModel) {
  return { languages, rank: rating?.rank ?? 0 };
}
