import { join } from 'node:path';
import { type Config, loadConfig, resolveEngineChoiceSettings, resolveModelsFolder } from '@app/config';
import { chooseEngineForInstallation, listModelFolderNames, loadCatalogue, readManifest } from '@app/speech';
import { SubCommand } from 'nest-commander';
import { computeFileSizeAndChecksum } from '../backup/file-checksum.js';
import { assertRootMayWriteModels } from '../folder-owner.js';
import { WithOptions, createParentCommandProviders, OperatorCommand } from '../operator-command.js';
import { CommandError, formatSize, type JsonOption, printResult, printTableOrJson } from '../output.js';
import { loadModelState, loadModelStates } from './model-states.js';
import { CheckModelsCommand } from './check-models.command.js';
import { PullModelsCommand } from './pull-models.command.js';
import { SetUpModelsCommand } from './set-up-models.command.js';
import { hasModelLeftovers, removeModel } from './remove-model.js';

const MAX_LANGUAGES_SHOWN = 5;

@SubCommand({ name: 'list', description: 'list available and installed models' })
export class ListModelsCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const config = loadConfig();
    const catalogue = await loadCatalogue(config.speech.modelsCatalogue);
    const states = await loadModelStates(resolveModelsFolder(config), catalogue);
    const rows = states.map(({ name, catalogueModel, installed, broken }) => {
      const known = catalogueModel ?? installed;
      return {
        name,
        kind: known?.kind ?? null,
        family: known?.family ?? null,
        languages: known?.languages ?? null,
        licence: catalogueModel?.licence ?? null,
        bytes: catalogueModel?.files.reduce((sum, { bytes }) => sum + bytes, 0) ?? null,
        files: catalogueModel?.files ?? null,
        state: broken === null ? (installed ? 'installed' : 'available') : 'broken',
        problem: broken,
        about: catalogueModel?.about ?? null,
      };
    });
    printTableOrJson(options, rows, {
      MODEL: 'name',
      FOR: 'kind',
      LANGUAGES: ({ languages }) => formatLanguages(languages),
      SIZE: ({ bytes }) => (bytes === null ? null : formatSize(bytes)),
      LICENCE: 'licence',
      STATE: 'state',
      ABOUT: 'about',
    });
  }
}

function formatLanguages(languages: string[] | 'any' | null): string | null {
  if (languages === null || languages === 'any') return languages;
  return languages.length > MAX_LANGUAGES_SHOWN ? `${languages.length} languages` : languages.join(' ');
}

@SubCommand({
  name: 'verify',
  arguments: '[names...]',
  description: 'check installed models against their checksums',
})
export class VerifyModelsCommand extends OperatorCommand {
  /** Exits with code 1 if a model is broken. */
  async run(names: string[], options: JsonOption): Promise<void> {
    const config = loadConfig();
    const folder = resolveModelsFolder(config);
    const catalogue = await loadCatalogue(config.speech.modelsCatalogue);
    const results: { name: string; problem: string | null }[] = [];
    for (const name of names.length > 0 ? names : await listModelFolderNames(folder)) {
      const state = await loadModelState(folder, name, catalogue);
      if (state.installed || state.broken !== null)
        results.push({ name, problem: state.broken ?? (await findCorruption(join(folder, name))) });
      else if (names.length > 0) throw new CommandError(`The model ${name} is not installed in ${folder}.`);
    }
    const lines = results.map(({ name, problem }) =>
      problem === null ? `${name} is whole.` : `${name} is BROKEN. ${problem}`,
    );
    printResult(options, results, () => lines.join('\n') || `No model is installed in ${folder}.`);
    if (results.some(({ problem }) => problem !== null)) process.exitCode = 1;
  }
}

async function findCorruption(folder: string): Promise<string | null> {
  const manifest = await readManifest(folder);
  const changed: string[] = [];
  for (const { path, sha256 } of manifest?.files ?? [])
    if ((await computeFileSizeAndChecksum(join(folder, path))).sha256 !== sha256) changed.push(path);
  if (changed.length === 0) return null;
  return `Other bytes than were installed in ${changed.join(', ')}: remove the model and pull it again.`;
}

@SubCommand({
  name: 'remove',
  arguments: '<name>',
  description: 'delete an installed model, or the remains of an unfinished pull or removal',
})
@WithOptions({ flags: '--force', description: 'even if the service is configured to use it' })
export class RemoveModelCommand extends OperatorCommand {
  async run([name = '']: string[], options: JsonOption & { force?: boolean }): Promise<void> {
    const config = loadConfig();
    const folder = resolveModelsFolder(config);
    await assertRootMayWriteModels(config);
    // Only names of existing model folders are accepted, so that a name cannot lead out of the folder.
    const isInstalled = (await listModelFolderNames(folder)).includes(name);
    if (
      !isInstalled &&
      !(await hasModelLeftovers(folder, name, await loadCatalogue(config.speech.modelsCatalogue)))
    )
      throw new CommandError(`The model ${name} is not installed in ${folder}.`);
    if (isInstalled && !options.force && (await isInUse(name, config)))
      throw new CommandError(
        `A processor that starts here uses ${name}: set ENGINE or SHERPA_MODEL to another first, or add --force.`,
      );
    await removeModel(folder, name, () =>
      process.stderr.write(`A pull of ${name} is under way: waiting for it.\n`),
    );
    printResult(options, { name, removed: true }, () => `${name} is removed.`);
  }
}

/** Whether a processor that starts here would use the model. */
async function isInUse(name: string, config: Config): Promise<boolean> {
  const { speech } = config;
  if (speech.sherpaModel === name && (speech.engine === 'sherpa' || speech.engine === 'auto')) return true;
  // Nothing is in use if no engine can be chosen.
  const choice = await chooseEngineForInstallation(resolveEngineChoiceSettings(config)).catch(() => null);
  return choice?.recognizer?.name === name;
}

export const MODEL_COMMANDS = createParentCommandProviders(
  { name: 'models', description: 'model files of recognisers and auxiliary models' },
  [
    ListModelsCommand,
    SetUpModelsCommand,
    PullModelsCommand,
    CheckModelsCommand,
    VerifyModelsCommand,
    RemoveModelCommand,
  ],
);
