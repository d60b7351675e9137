import { findModel, installedModels } from '../../models/installed-models.js';
import type { InstalledModel } from '../../models/model.js';
import { EngineUnavailable } from '../engine-errors.js';

/**
 * The recogniser of this name in the folder of models; without a name the only one that is installed.
 * @throws EngineUnavailable telling what to fetch or to set
 */
export async function chooseRecognizer(folder: string, name: string | undefined): Promise<InstalledModel> {
  try {
    return name === undefined ? await onlyRecognizer(folder) : await findModel(folder, name);
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error;
    throw new EngineUnavailable('sherpa', error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

async function onlyRecognizer(folder: string): Promise<InstalledModel> {
  const [only, ...others] = (await installedModels(folder)).filter(({ kind }) => kind === 'recognizer');
  if (!only) {
    const advice =
      'List those that can be had with `npm run admin -- models list`, and fetch one with `models pull NAME`.';
    throw new EngineUnavailable('sherpa', `no recogniser is installed in ${folder}. ${advice}`);
  }
  if (others.length === 0) return only;
  const names = [only, ...others].map((model) => model.name).join(', ');
  throw new EngineUnavailable(
    'sherpa',
    `several recognisers are installed: set SHERPA_MODEL to one of ${names}.`,
  );
}
