import { Command, SubCommand } from 'nest-commander';
import { DecryptionError } from '@app/database';
import { CommandGroup, JsonCommand } from '../json-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { CommandContext } from '../command-context.js';
import { countOutdatedRows, encryptedTables } from './encrypted-tables.js';
import {
  AddServiceSecretCommand,
  DropServiceSecretCommand,
  ServiceSecretCommand,
  UseServiceSecretCommand,
} from './service-secret.command.js';

@SubCommand({
  name: 'rotate',
  description: 'encrypt existing rows again with the current key and service secret',
})
export class RotateKeysCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  /** The database takes the secret for its own last: until then no program starts without the earlier one. */
  async run(_: string[], options: JsonOption): Promise<void> {
    const tools = await this.context.open();
    let rotated = 0;
    for (const table of encryptedTables(tools))
      rotated += await table.reencryptAll().catch(explainMissingKey);
    const left = await countOutdatedRows(tools);
    const service_secret = left === 0 && (await tools.adoptSecret()) ? 'changed' : 'unchanged';
    printResult(options, { rotated, left, service_secret }, () =>
      [
        `${rotated} rows encrypted again, ${left} left under other keys.`,
        ...(service_secret === 'changed' ? ['The database now belongs to the current service secret.'] : []),
      ].join('\n'),
    );
  }
}

function explainMissingKey(error: unknown): never {
  if (!(error instanceof DecryptionError)) throw error;
  throw new CommandError(
    `${error.message} Put that key back into ENCRYPTION_KEYS, or that secret into SERVICE_SECRET_FALLBACKS.`,
  );
}

const SUB_COMMANDS = [RotateKeysCommand, ServiceSecretCommand];

@Command({
  name: 'secrets',
  description: 'the service secret and the encryption keys',
  subCommands: SUB_COMMANDS,
})
export class SecretsCommand extends CommandGroup {}

export const SECRET_COMMANDS = [
  SecretsCommand,
  ...SUB_COMMANDS,
  AddServiceSecretCommand,
  UseServiceSecretCommand,
  DropServiceSecretCommand,
];
