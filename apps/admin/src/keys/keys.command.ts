import { Command, Option, SubCommand } from 'nest-commander';
import {
  AccountCommand,
  AccountFilterCommand,
  type AccountOption,
  assertAccountExists,
  resolveAccount,
} from '../account-option.js';
import { CommandGroup, JsonCommand } from '../json-command.js';
import { CommandError, type JsonOption, printResult, formatTable } from '../output.js';
import { CommandContext } from '../command-context.js';
import { LimitKeyCommand } from './limit-key.command.js';

@SubCommand({ name: 'create', description: 'add a key to an account; prints {"key_id", "api_key"}' })
export class CreateKeyCommand extends AccountCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], { account: given, name = 'key' }: AccountOption & { name?: string }): Promise<void> {
    const { dataSource, keys } = await this.context.open();
    const account = await resolveAccount(dataSource, given);
    const { keyId, apiKey } = await keys.create(account, name);
    process.stdout.write(`${JSON.stringify({ key_id: keyId, api_key: apiKey })}\n`);
  }

  @Option({ flags: '--name <text>', description: 'what the key is for' })
  parseName(name: string): string {
    return name;
  }
}

@SubCommand({ name: 'list', description: 'list keys, without their secrets' })
export class ListKeysCommand extends AccountFilterCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: AccountOption): Promise<void> {
    const { dataSource, keys } = await this.context.open();
    if (options.account !== undefined) await assertAccountExists(dataSource, options.account);
    const rows = (await keys.list(options.account)).map((key) => ({
      key_id: key.id,
      account_id: key.accountId,
      name: key.name,
      created_at: key.createdAt.toISOString(),
      revoked_at: key.revokedAt?.toISOString() ?? null,
      limits: key.rateLimits ?? {},
    }));
    printResult(options, rows, () =>
      formatTable(
        ['KEY', 'ACCOUNT', 'NAME', 'CREATED', 'REVOKED'],
        rows.map((row) => [row.key_id, row.account_id, row.name, row.created_at, row.revoked_at ?? '-']),
      ),
    );
  }
}

@SubCommand({ name: 'revoke', arguments: '<key_id>', description: 'revoke a key at once' })
export class RevokeKeyCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run([keyId = '']: string[], options: JsonOption): Promise<void> {
    const { keys } = await this.context.open();
    if (!(await keys.revoke(keyId))) throw new CommandError(`There is no valid key ${keyId}.`);
    printResult(options, { key_id: keyId, revoked: true }, () => `Key ${keyId} is revoked.`);
  }
}

@Command({
  name: 'keys',
  description: 'create, list, limit and revoke API keys',
  subCommands: [CreateKeyCommand, ListKeysCommand, LimitKeyCommand, RevokeKeyCommand],
})
export class KeysCommand extends CommandGroup {}
