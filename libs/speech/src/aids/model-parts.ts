import { dirname } from 'node:path';
import type { InstalledModel } from '../models/model.js';
import { ModelBroken } from '../models/model-errors.js';

/** What every loader of the library is told. One thread a request: requests run side by side. */
export const LOADING = { numThreads: 1, debug: 0, provider: 'cpu' };

/** The path of the file with this role. @throws ModelBroken when the manifest names none */
export function fileOf(model: InstalledModel, role: string): string {
  const path = model.files[role];
  if (path === undefined) throw broken(model, `its manifest names no file with the role ${role}`);
  return path;
}

/** A setting from 0 to 1; `usual` when the manifest leaves it out. @throws ModelBroken */
export function shareOf(model: InstalledModel, setting: string, usual: number): number {
  const value = Number(model.settings[setting] ?? usual);
  if (!(value >= 0 && value <= 1)) throw broken(model, `settings.${setting} must be a number from 0 to 1`);
  return value;
}

function broken(model: InstalledModel, problem: string): ModelBroken {
  return new ModelBroken(dirname(Object.values(model.files)[0] ?? model.name), problem);
}
