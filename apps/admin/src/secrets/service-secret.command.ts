import {
  generateServiceSecret,
  ServiceSecretFile,
  type ServiceSecrets,
  loadBootSettings,
} from '@app/runtime';

import { SubCommand } from 'nest-commander';
import { CommandGroup, JsonCommand } from '../json-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { CommandContext } from '../command-context.js';
import { countOutdatedRows } from './encrypted-tables.js';

const PROCEDURE = 'docs/operating/secrets.md, “Change the service secret”';

@SubCommand({ name: 'add', description: 'create the next secret; it is accepted but not used yet' })
export class AddServiceSecretCommand extends JsonCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { file, secrets } = await loadSecretsFile();
    if (secrets.length > 1)
      throw new CommandError(`${file.path} holds two secrets already: secrets service-secret use.`);
    const [current] = secrets;
    await file.replace([current, generateServiceSecret()]);
    printNextStep(options, file, 2, 'Restart every program, then: secrets service-secret use.');
  }
}

@SubCommand({
  name: 'use',
  description: 'sign and encrypt with the next secret; the earlier one is still accepted',
})
export class UseServiceSecretCommand extends JsonCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { file, secrets } = await loadSecretsFile();
    const [earlier, next] = secrets;
    if (next === undefined)
      throw new CommandError('There is no next secret: run secrets service-secret add first.');
    await file.replace([next, earlier]);
    printNextStep(options, file, 2, 'Restart every program, then: secrets rotate.');
  }
}

@SubCommand({ name: 'drop', description: 'accept only the current secret' })
export class DropServiceSecretCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    const { file, secrets } = await loadSecretsFile();
    const [current] = secrets;
    if (secrets.length === 1) throw new CommandError(`${file.path} holds one secret only.`);
    const tools = await this.context.open();
    if (!(await tools.usesCurrentSecret()) || (await countOutdatedRows(tools)) > 0)
      throw new CommandError(
        'Data that is encrypted with the earlier secret would be lost: run secrets rotate first.',
      );
    await file.replace([current]);
    printNextStep(
      options,
      file,
      1,
      'Restart every program: URLs signed with the earlier secret are then invalid.',
    );
  }
}

@SubCommand({
  name: 'service-secret',
  description: 'change the service secret in DATA_DIR, step by step',
  subCommands: [AddServiceSecretCommand, UseServiceSecretCommand, DropServiceSecretCommand],
})
export class ServiceSecretCommand extends CommandGroup {}

/** @throws CommandError where the secret is not kept in the data folder */
async function loadSecretsFile(): Promise<{ file: ServiceSecretFile; secrets: ServiceSecrets }> {
  const { service } = loadBootSettings('admin', 'silent').config;
  if (service.secret !== undefined)
    throw new CommandError(`SERVICE_SECRET is set: change it where it is set (${PROCEDURE}).`);
  const file = new ServiceSecretFile(service.dataDir);
  return { file, secrets: await file.readOrCreate() };
}

function printNextStep(
  options: JsonOption,
  { path }: ServiceSecretFile,
  accepted: number,
  next: string,
): void {
  printResult(options, { path, accepted, next }, () => `${path} now contains ${accepted} of them. ${next}`);
}
