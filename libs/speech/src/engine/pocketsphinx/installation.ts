import { findTool } from '../../tool/find-tool.js';
import { ToolMissingError } from '../../tool/tool-errors.js';
import { EngineUnavailableError } from '../engine-errors.js';
import { type EnglishModel, findEnglishModel } from './english-model.js';
import { listFlags, POCKETSPHINX } from './program.js';

export const ENGINE_NAME = 'pocketsphinx';

/** What there is of the programs and their model. */
export interface PocketsphinxInstallation {
  model: EnglishModel;
  /** The flags that the installed program knows. */
  flags: ReadonlySet<string>;
}

/**
 * The installed programs and the English model; `modelFolder` replaces the usual places.
 *
 * Throws `EngineUnavailableError` telling what to install, or the reason of the abort.
 */
export async function locateInstallation(
  signal: AbortSignal,
  modelFolder?: string,
): Promise<PocketsphinxInstallation> {
  const model = await findEnglishModel(modelFolder);
  const flags = await readFlags(signal);
  if (!model)
    throw new EngineUnavailableError(ENGINE_NAME, `its English model is missing. ${POCKETSPHINX.install}`);
  return { model, flags };
}

async function readFlags(signal: AbortSignal): Promise<ReadonlySet<string>> {
  try {
    await findTool(POCKETSPHINX);
    return await listFlags(signal);
  } catch (error) {
    if (error instanceof ToolMissingError)
      throw new EngineUnavailableError(ENGINE_NAME, error.message, { cause: error });
    throw error;
  }
}
