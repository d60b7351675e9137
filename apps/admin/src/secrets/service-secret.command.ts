import { newServiceSecret, ServiceSecretFile, type ServiceSecrets, settingsOf } from '@app/runtime';

import { SubCommand } from 'nest-commander';
import { CommandGroup, JsonCommand } from '../json-command.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { Workplace } from '../workplace.js';
import { outdatedRows } from './sealed-tables.js';

const PROCEDURE = 'docs/operating/secrets.md, “Change the service secret”';

@SubCommand({ name: 'add', description: 'create the next secret; it is accepted but not used yet' })
export class AddServiceSecretCommand extends JsonCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { file, secrets } = await secretsOfFile();
    if (secrets.length > 1)
      throw new CommandRefused(`${file.path} holds two secrets already: secrets service-secret use.`);
    const [current] = secrets;
    await file.replace([current, newServiceSecret()]);
    told(options, file, 2, 'Restart every program, then: secrets service-secret use.');
  }
}

@SubCommand({
  name: 'use',
  description: 'sign and encrypt with the next secret; the earlier one is still accepted',
})
export class UseServiceSecretCommand extends JsonCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { file, secrets } = await secretsOfFile();
    const [earlier, next] = secrets;
    if (next === undefined)
      throw new CommandRefused('There is no next secret: run secrets service-secret add first.');
    await file.replace([next, earlier]);
    told(options, file, 2, 'Restart every program, then: secrets rotate.');
  }
}

@SubCommand({ name: 'drop', description: 'accept only the current secret' })
export class DropServiceSecretCommand extends JsonCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    const { file, secrets } = await secretsOfFile();
    const [current] = secrets;
    if (secrets.length === 1) throw new CommandRefused(`${file.path} holds one secret only.`);
    const tools = await this.workplace.open();
    if (!(await tools.usesCurrentSecret()) || (await outdatedRows(tools)) > 0)
      throw new CommandRefused(
        'Data that is encrypted with the earlier secret would be lost: run secrets rotate first.',
      );
    await file.replace([current]);
    told(options, file, 1, 'Restart every program: URLs signed with the earlier secret are then invalid.');
  }
}

@SubCommand({
  name: 'service-secret',
  description: 'change the service secret in DATA_DIR, step by step',
  subCommands: [AddServiceSecretCommand, UseServiceSecretCommand, DropServiceSecretCommand],
})
export class ServiceSecretCommand extends CommandGroup {}

/** @throws CommandRefused where the secret is not kept in the data folder */
async function secretsOfFile(): Promise<{ file: ServiceSecretFile; secrets: ServiceSecrets }> {
  const { service } = settingsOf('admin', 'silent').config;
  if (service.secret !== undefined)
    throw new CommandRefused(`SERVICE_SECRET is set: change it where it is set (${PROCEDURE}).`);
  const file = new ServiceSecretFile(service.dataDir);
  return { file, secrets: await file.readOrMake() };
}

function told(options: JsonOption, { path }: ServiceSecretFile, accepted: number, next: string): void {
  print(options, { path, accepted, next }, () => `${path} now contains ${accepted} of them. ${next}`);
}
