import { describeError } from '@app/errors';
import { getInstalledModel, listInstalledModels } from '../../models/installed-models.js';
import type { InstalledModel } from '../../models/installed-model.js';
import { EngineUnavailableError } from '../engine.js';

/** If no name is given, resolves the only installed one. @throws EngineUnavailableError that names what to pull or to set */
export async function resolveInstalledRecognizer(
  folder: string,
  name: string | undefined,
): Promise<InstalledModel> {
  try {
    return name === undefined ? await findOnlyRecognizer(folder) : await getInstalledModel(folder, name);
  } catch (error) {
    if (error instanceof EngineUnavailableError) throw error;
    throw new EngineUnavailableError('sherpa', describeError(error), {
      cause: error,
    });
  }
}

async function findOnlyRecognizer(folder: string): Promise<InstalledModel> {
  const [only, ...others] = (await listInstalledModels(folder)).filter(({ kind }) => kind === 'recognizer');
  if (!only) {
    const advice =
      'List the available models with `npm run admin -- models list`, and install one with `models pull NAME`.';
    throw new EngineUnavailableError('sherpa', `no recogniser is installed in ${folder}. ${advice}`);
  }
  if (others.length === 0) return only;
  const names = [only, ...others].map((model) => model.name).join(', ');
  throw new EngineUnavailableError(
    'sherpa',
    `several recognisers are installed: set SHERPA_MODEL to one of ${names}.`,
  );
}
