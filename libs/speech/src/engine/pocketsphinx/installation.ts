import { findTool } from '../../tool/find-tool.js';
import { ToolMissing } from '../../tool/tool-errors.js';
import { EngineUnavailable } from '../engine-errors.js';
import { type EnglishModel, findEnglishModel } from './model.js';
import { listFlags, POCKETSPHINX } from './program.js';

export const NAME = 'pocketsphinx';

/** What there is of the programs and their model. */
export interface Installation {
  model: EnglishModel;
  /** The flags that the installed program knows. */
  flags: ReadonlySet<string>;
}

/**
 * The installed programs and the English model; `modelFolder` replaces the usual places.
 *
 * Throws `EngineUnavailable` telling what to install, or the reason of the abort.
 */
export async function locateEnglish(signal: AbortSignal, modelFolder?: string): Promise<Installation> {
  const model = await findEnglishModel(modelFolder);
  const flags = await readFlags(signal);
  if (!model) throw new EngineUnavailable(NAME, `its English model is missing. ${POCKETSPHINX.install}`);
  return { model, flags };
}

async function readFlags(signal: AbortSignal): Promise<ReadonlySet<string>> {
  try {
    await findTool(POCKETSPHINX);
    return await listFlags(signal);
  } catch (error) {
    if (error instanceof ToolMissing) throw new EngineUnavailable(NAME, error.message, { cause: error });
    throw error;
  }
}
