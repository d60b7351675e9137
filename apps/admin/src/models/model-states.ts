import {
  type CatalogueModel,
  getInstalledModel,
  type InstalledModel,
  InvalidModelError,
  listModelFolderNames,
  ModelNotFoundError,
} from '@app/speech';

export interface ModelState {
  name: string;
  /** Null for a model outside the catalogue. */
  catalogueModel: CatalogueModel | null;
  installed: InstalledModel | null;
  /** Why an installed model cannot be used. */
  broken: string | null;
}

/** Models of the catalogue first, then others in the folder. Compares the sizes of files, not their checksums. */
export async function loadModelStates(
  folder: string,
  catalogue: readonly CatalogueModel[],
): Promise<ModelState[]> {
  const folders = new Set(await listModelFolderNames(folder));
  const catalogueNames = catalogue.map(({ name }) => name);
  const others = [...folders].filter((name) => !catalogueNames.includes(name));
  const states: ModelState[] = [];
  for (const name of [...catalogueNames, ...others]) {
    const state = await loadModelState(folder, name, catalogue);
    if (state.catalogueModel || state.installed || state.broken) states.push(state);
  }
  return states;
}

export async function loadModelState(
  folder: string,
  name: string,
  catalogue: readonly CatalogueModel[],
): Promise<ModelState> {
  const catalogueModel = catalogue.find((model) => model.name === name) ?? null;
  try {
    return { name, catalogueModel, installed: await getInstalledModel(folder, name), broken: null };
  } catch (error) {
    if (error instanceof ModelNotFoundError) return { name, catalogueModel, installed: null, broken: null };
    if (error instanceof InvalidModelError)
      return { name, catalogueModel, installed: null, broken: error.message };
    throw error;
  }
}
