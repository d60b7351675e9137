import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, loadConfig, resolveModelsFolder } from '@app/config';
import { CATALOGUE, listModelFolders } from '@app/speech';
import { Option, SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { loadModelStates } from './model-states.js';
import { withPullLock } from './pull/pull-lock.js';
import { findRemovalLeftovers, removeModel, pullFolderName } from './remove-model.js';

interface RemoveOptions extends JsonOption {
  force?: boolean;
}

@SubCommand({
  name: 'remove',
  arguments: '<name>',
  description: 'delete an installed model, or the remains of an unfinished pull or removal',
})
export class RemoveModelCommand extends JsonCommand {
  async run([name = '']: string[], options: RemoveOptions): Promise<void> {
    const config = loadConfig();
    const folder = resolveModelsFolder(config);
    const { installed, begun } = await inspectModelFolder(folder, name);
    if (!installed && !begun) throw new CommandError(`The model ${name} is not installed in ${folder}.`);
    if (installed && !options.force && (await isInUse(folder, name, config)))
      throw new CommandError(
        `The service is configured to use ${name}: set SHERPA_MODEL to another model first, or add --force.`,
      );
    await removeUnderLock(folder, name);
    printResult(options, { name, removed: true }, () => `${name} is removed.`);
  }

  @Option({ flags: '--force', description: 'even if the service is configured to use it' })
  parseForce(): boolean {
    return true;
  }
}

/** A name is a folder: only one that a model can have is looked for. */
async function inspectModelFolder(
  folder: string,
  name: string,
): Promise<{ installed: boolean; begun: boolean }> {
  const names = await readdir(folder).catch((): string[] => []);
  return {
    installed: (await listModelFolders(folder)).includes(name),
    begun:
      findRemovalLeftovers(names, name).length > 0 ||
      (CATALOGUE.some((model) => model.name === name) && names.includes(pullFolderName(name))),
  };
}

/** Under the lock of pulls. */
async function removeUnderLock(folder: string, name: string): Promise<void> {
  const { signal } = new AbortController();
  const waiting = () => process.stderr.write(`A pull of ${name} is under way: waiting for it.\n`);
  await withPullLock(join(folder, `.${name}.lock`), signal, waiting, () => removeModel(folder, name));
}

/** By its name, or as the only recogniser there is. */
async function isInUse(folder: string, name: string, { speech }: Config): Promise<boolean> {
  if (speech.engine !== 'sherpa') return false;
  if (speech.sherpaModel !== undefined) return speech.sherpaModel === name;
  const recognizers = (await loadModelStates(folder)).filter(
    ({ installed }) => installed?.kind === 'recognizer',
  );
  return recognizers.length === 1 && recognizers[0]?.name === name;
}
