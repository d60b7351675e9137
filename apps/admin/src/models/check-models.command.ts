import { loadConfig, resolveModelsFolder } from '@app/config';
import { listModelFolderNames, loadCatalogue } from '@app/speech';
import { SubCommand } from 'nest-commander';
import { createSigintAbortSignal } from '../abort-on-interrupt.js';
import { assertRootMayWriteModels } from '../folder-owner.js';
import { OperatorCommand } from '../operator-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import {
  checkModelsOnSampleAndSaveResults,
  formatModelCheckOutcome,
  hasPassedOrWaits,
} from './check/check-models.js';

@SubCommand({
  name: 'check',
  arguments: '[names...]',
  description: 'run installed models on the bundled dialogue; ENGINE=auto uses those that pass',
})
export class CheckModelsCommand extends OperatorCommand {
  /** Exits with code 1 if a model did not pass or could not be checked. */
  async run(names: string[], options: JsonOption): Promise<void> {
    const config = loadConfig();
    const folder = resolveModelsFolder(config);
    await assertRootMayWriteModels(config);
    const installed = await listModelFolderNames(folder);
    const missing = names.find((name) => !installed.includes(name));
    if (missing !== undefined) throw new CommandError(`The model ${missing} is not installed in ${folder}.`);
    const results = await checkModelsOnSampleAndSaveResults(names.length > 0 ? names : installed, {
      folder,
      catalogue: await loadCatalogue(config.speech.modelsCatalogue),
      signal: createSigintAbortSignal('Interrupted.'),
      onCheck: (name) => process.stderr.write(`Checking ${name} ...\n`),
    });
    printResult(
      options,
      results,
      () => results.map(formatModelCheckOutcome).join('\n') || `No model is installed in ${folder}.`,
    );
    if (!results.every(hasPassedOrWaits)) process.exitCode = 1;
  }
}
