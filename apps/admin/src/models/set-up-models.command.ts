import { loadConfig, resolveEngineChoiceSettings, resolveModelsFolder } from '@app/config';
import {
  type CatalogueModel,
  chooseEngineForInstallation,
  type EngineChoice,
  loadCatalogue,
} from '@app/speech';
import { SubCommand } from 'nest-commander';
import { createSigintAbortSignal, InterruptedError } from '../abort-on-interrupt.js';
import { assertRootMayWriteModels } from '../folder-owner.js';
import { WithOptions, OperatorCommand } from '../operator-command.js';
import { CommandError, formatSize, type JsonOption, printResult } from '../output.js';
import { hasPassedOrWaits } from './check/check-models.js';
import {
  formatPullAndCheckResult,
  listPulledModelsWithChecks,
  pullAndCheckModels,
} from './pull-and-check-models.js';
import { waitForKeyPress } from './wait-for-key-press.js';

interface SetupOptions extends JsonOption {
  yes?: boolean;
  wait?: number;
}

@SubCommand({
  name: 'setup',
  description: 'download and check the models recommended for this machine; asks first on a terminal',
})
@WithOptions(
  { flags: '--yes', description: 'download without asking' },
  { flags: '--wait <seconds>', description: 'ask no longer than this', parse: parseSeconds },
)
export class SetUpModelsCommand extends OperatorCommand {
  /**
   * Exits with code 1 if a model did not pass or could not be checked, and with 130 if Ctrl-C ended it: `npm start` and
   * the demo then end too.
   */
  async run(_: string[], options: SetupOptions): Promise<void> {
    try {
      await this.setUp(options);
    } catch (error) {
      if (!(error instanceof InterruptedError)) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = InterruptedError.EXIT_CODE;
    }
  }

  private async setUp(options: SetupOptions): Promise<void> {
    const config = loadConfig();
    const choice = await chooseEngineForInstallation(resolveEngineChoiceSettings(config));
    const models = choice.improvement?.models ?? [];
    const names = models.map(({ name }) => name);
    if (models.length === 0)
      return printResult(options, { recommended: [], models: [] }, () => explainNothing(choice));
    if (!options.yes && !(await this.ask(models, choice, options)))
      return printResult(options, { recommended: names, models: [] }, () => describeLater(models));
    const folder = resolveModelsFolder(config);
    await assertRootMayWriteModels(config);
    const result = await pullAndCheckModels({
      models,
      folder,
      catalogue: await loadCatalogue(config.speech.modelsCatalogue),
      mirror: config.speech.modelsMirror,
      signal: createSigintAbortSignal('Interrupted; the next pull resumes from here.'),
    });
    printResult(options, { recommended: names, models: listPulledModelsWithChecks(result) }, () =>
      formatPullAndCheckResult(result),
    );
    if (!result.checked.every(hasPassedOrWaits)) process.exitCode = 1;
  }

  private async ask(
    models: readonly CatalogueModel[],
    { engine, recognizer }: EngineChoice,
    { json, wait }: SetupOptions,
  ): Promise<boolean> {
    if (json || !process.stdin.isTTY || !process.stderr.isTTY) return false;
    const limit = wait === undefined ? '' : ` (${wait} s)`;
    process.stderr.write(
      `${describeModels(models)} would recognise more than ${recognizer?.name ?? engine}.\n` +
        `Press m to download and check them now, any other key to go on without${limit}: `,
    );
    const key = await waitForKeyPress(wait).finally(() => process.stderr.write('\n'));
    return key?.toLowerCase() === 'm';
  }
}

/** For example `a, b and c (707 MB)`. */
function describeModels(models: readonly CatalogueModel[]): string {
  const names = models.map(({ name }) => name);
  const bytes = models.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0);
  const list = new Intl.ListFormat('en', { style: 'long' }).format(names);
  return `${list} (${formatSize(bytes)})`;
}

function describeLater(models: readonly CatalogueModel[]): string {
  return `Recommended for this machine: ${describeModels(models)}. To download: npm run admin -- models setup --yes`;
}

function explainNothing({ engine, recognizer, reason }: EngineChoice): string {
  return `Nothing is recommended beside ${recognizer?.name ?? engine} (${reason}).`;
}

function parseSeconds(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new CommandError('--wait takes a number of seconds.');
  return Number(text);
}
