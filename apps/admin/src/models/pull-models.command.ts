import { loadConfig, resolveModelsFolder } from '@app/config';
import { type CatalogueModel, loadCatalogue } from '@app/speech';
import { SubCommand } from 'nest-commander';
import { createSigintAbortSignal } from '../abort-on-interrupt.js';
import { assertRootMayWriteModels } from '../folder-owner.js';
import { WithOptions, OperatorCommand } from '../operator-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import {
  formatPullAndCheckResult,
  listPulledModelsWithChecks,
  pullAndCheckModels,
} from './pull-and-check-models.js';

interface PullOptions extends JsonOption {
  from?: string;
  mirror?: string;
  unchecked?: boolean;
}

const RESTART_NOTE = 'Processors look for models when they start: restart those that run.';

@SubCommand({
  name: 'pull',
  arguments: '<names...>',
  description: 'download models and check them; resumes an interrupted download',
})
@WithOptions(
  { flags: '--from <folder>', description: 'take the files from this folder instead of the network' },
  {
    flags: '--mirror <url>',
    description: 'download from this server, under the same paths',
    parse: parseMirror,
  },
  { flags: '--unchecked', description: 'do not run the models afterwards; ENGINE=auto does not use them' },
)
export class PullModelsCommand extends OperatorCommand {
  async run(names: string[], options: PullOptions): Promise<void> {
    const config = loadConfig();
    const folder = resolveModelsFolder(config);
    await assertRootMayWriteModels(config);
    const catalogue = await loadCatalogue(config.speech.modelsCatalogue);
    const models = names.map((name) => findCatalogueModel(name, catalogue));
    // The downloaded parts are kept.
    const signal = createSigintAbortSignal('Interrupted; the next pull resumes from here.');
    const result = await pullAndCheckModels({
      ...{ models, folder, catalogue, signal },
      mirror: options.mirror ?? config.speech.modelsMirror,
      from: options.from,
      unchecked: options.unchecked,
    });
    const { pulled, checked } = result;
    printResult(options, { folder, models: listPulledModelsWithChecks(result) }, () =>
      [
        formatPullAndCheckResult(result),
        ...(pulled.some(({ fetched }) => fetched) ? [RESTART_NOTE] : []),
      ].join('\n'),
    );
    if (checked.some(({ obstacle }) => obstacle !== null)) process.exitCode = 1;
  }
}

function parseMirror(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError('--mirror takes a URL that begins with http:// or https://.');
  return url;
}

function findCatalogueModel(name: string, catalogue: readonly CatalogueModel[]): CatalogueModel {
  const model = catalogue.find((candidate) => candidate.name === name);
  if (!model) throw new CommandError(`There is no model ${name} to download: see \`models list\`.`);
  return model;
}
