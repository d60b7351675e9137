import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, loadConfig, modelsFolder } from '@app/config';
import { CATALOGUE, listModelFolders } from '@app/speech';
import { Option, SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { modelStates } from './model-states.js';
import { withLock } from './pull/pull-lock.js';
import { leftBehind, removeModel, unfinished } from './remove-model.js';

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
    const folder = modelsFolder(config);
    const { installed, begun } = await whatIsThere(folder, name);
    if (!installed && !begun) throw new CommandRefused(`The model ${name} is not installed in ${folder}.`);
    if (installed && !options.force && (await isInUse(folder, name, config)))
      throw new CommandRefused(
        `The service is configured to use ${name}: set SHERPA_MODEL to another model first, or add --force.`,
      );
    await remove(folder, name);
    print(options, { name, removed: true }, () => `${name} is removed.`);
  }

  @Option({ flags: '--force', description: 'even if the service is configured to use it' })
  parseForce(): boolean {
    return true;
  }
}

/** A name is a folder: only one that a model can have is looked for. */
async function whatIsThere(folder: string, name: string): Promise<{ installed: boolean; begun: boolean }> {
  const names = await readdir(folder).catch((): string[] => []);
  return {
    installed: (await listModelFolders(folder)).includes(name),
    begun:
      leftBehind(names, name).length > 0 ||
      (CATALOGUE.some((model) => model.name === name) && names.includes(unfinished(name))),
  };
}

/** Under the lock of pulls. */
async function remove(folder: string, name: string): Promise<void> {
  const { signal } = new AbortController();
  const waiting = () => process.stderr.write(`A pull of ${name} is under way: waiting for it.\n`);
  await withLock(join(folder, `.${name}.lock`), signal, waiting, () => removeModel(folder, name));
}

/** By its name, or as the only recogniser there is. */
async function isInUse(folder: string, name: string, { speech }: Config): Promise<boolean> {
  if (speech.engine !== 'sherpa') return false;
  if (speech.sherpaModel !== undefined) return speech.sherpaModel === name;
  const recognizers = (await modelStates(folder)).filter(({ installed }) => installed?.kind === 'recognizer');
  return recognizers.length === 1 && recognizers[0]?.name === name;
}
