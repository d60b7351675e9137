import {
  CATALOGUE,
  type CatalogueModel,
  findModel,
  type InstalledModel,
  InvalidModelError,
  listModelFolders,
  ModelNotFoundError,
} from '@app/speech';

export interface ModelState {
  name: string;
  /** Null for one that is not in the catalogue. */
  listed: CatalogueModel | null;
  installed: InstalledModel | null;
  /** Why it cannot be used though it is there; null when it can, or is not there. */
  broken: string | null;
}

/** Every model of the catalogue, then what else is in the folder. The sizes of files are looked at, not their bytes. */
export async function loadModelStates(folder: string): Promise<ModelState[]> {
  const there = new Set(await listModelFolders(folder));
  const listed = CATALOGUE.map(({ name }) => name);
  const others = [...there].filter((name) => !listed.includes(name));
  const states: ModelState[] = [];
  for (const name of [...listed, ...others]) {
    const state = await loadModelState(folder, name);
    if (state.listed || state.installed || state.broken) states.push(state);
  }
  return states;
}

export async function loadModelState(folder: string, name: string): Promise<ModelState> {
  const listed = CATALOGUE.find((model) => model.name === name) ?? null;
  try {
    return { name, listed, installed: await findModel(folder, name), broken: null };
  } catch (error) {
    if (error instanceof ModelNotFoundError) return { name, listed, installed: null, broken: null };
    if (error instanceof InvalidModelError) return { name, listed, installed: null, broken: error.message };
    throw error;
  }
}
