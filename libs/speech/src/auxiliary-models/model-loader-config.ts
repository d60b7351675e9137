import { dirname } from 'node:path';
import type { InstalledModel } from '../models/installed-model.js';
import { InvalidModelError } from '../models/model-errors.js';

/** What every loader of the library is told. One thread a request: requests run side by side. */
export const LOADER_DEFAULTS = { numThreads: 1, debug: 0, provider: 'cpu' };

/** The path of the file with this role. @throws InvalidModelError when the manifest names none */
export function modelFile(model: InstalledModel, role: string): string {
  const path = model.files[role];
  if (path === undefined) throw invalidModel(model, `its manifest names no file with the role ${role}`);
  return path;
}

/** A setting from 0 to 1; `usual` when the manifest leaves it out. @throws InvalidModelError */
export function fractionSetting(model: InstalledModel, setting: string, usual: number): number {
  const value = Number(model.settings[setting] ?? usual);
  if (!(value >= 0 && value <= 1))
    throw invalidModel(model, `settings.${setting} must be a number from 0 to 1`);
  return value;
}

function invalidModel(model: InstalledModel, problem: string): InvalidModelError {
  return new InvalidModelError(dirname(Object.values(model.files)[0] ?? model.name), problem);
}
