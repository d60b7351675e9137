import {
  isApiRateLimitName,
  type ApiRateLimitName,
  MAX_API_KEY_NAME_LENGTH,
  API_LIMITS_PER_MINUTE,
  setRateLimitOverride,
} from '@app/auth';
import { ApiKey, inTransaction } from '@app/database';
import { SubCommand } from 'nest-commander';
import { WithOptions, createParentCommandProviders, OperatorCommand } from '../operator-command.js';
import { recordOperatorAction } from '../operator-audit.js';
import { parseName, parseRequestsPerMinute, parseTimestamp } from '../option-values.js';
import { CommandError, type JsonOption, printResult, printTableOrJson } from '../output.js';
import {
  ACCOUNT_FILTER_OPTION,
  ACCOUNT_OPTION,
  type AccountCommandOptions,
  assertAccountExists,
  resolveGivenOrOnlyAccountId,
} from '../resolve-account.js';

const ROUTES = Object.keys(API_LIMITS_PER_MINUTE).join(', ');

@SubCommand({ name: 'create', description: 'add a key to an account; prints {"key_id", "api_key"}' })
@WithOptions(
  { flags: '--name <text>', description: 'what the key is for' },
  {
    flags: '--expires <moment>',
    description: 'when the key ends, ISO 8601; never by default',
    parse: (text) => parseTimestamp(text, '--expires'),
  },
  ACCOUNT_OPTION,
)
export class CreateKeyCommand extends OperatorCommand {
  async run(_: string[], options: AccountCommandOptions & { name?: string; expires?: Date }): Promise<void> {
    const { account: given, expires: expiresAt = null } = options;
    const name = parseName(options.name ?? 'key', '--name', MAX_API_KEY_NAME_LENGTH);
    if (expiresAt !== null && expiresAt.getTime() <= Date.now())
      throw new CommandError('--expires must be in the future.');
    const { dataSource, apiKeys } = await this.context.open();
    const account = await resolveGivenOrOnlyAccountId(dataSource, given);
    const { keyId, apiKey } = await inTransaction(dataSource, async (tx) => {
      const created = await apiKeys.create(account, name, tx, { expiresAt });
      const details = { name, expires_at: expiresAt };
      const entry = { accountId: account, action: 'key.created', target: created.keyId, details };
      await recordOperatorAction(tx, entry);
      return created;
    });
    process.stdout.write(`${JSON.stringify({ key_id: keyId, api_key: apiKey })}\n`);
  }
}

@SubCommand({ name: 'list', description: 'list keys, without their secrets' })
@WithOptions(ACCOUNT_FILTER_OPTION)
export class ListKeysCommand extends OperatorCommand {
  async run(_: string[], options: AccountCommandOptions): Promise<void> {
    const { dataSource, apiKeys } = await this.context.open();
    if (options.account !== undefined) await assertAccountExists(dataSource, options.account);
    const rows = (await apiKeys.list(options.account)).map((key) => ({
      key_id: key.id,
      account_id: key.accountId,
      name: key.name,
      created_at: key.createdAt.toISOString(),
      expires_at: key.expiresAt?.toISOString() ?? null,
      last_used_at: key.lastUsedAt?.toISOString() ?? null,
      revoked_at: key.revokedAt?.toISOString() ?? null,
      limits: key.rateLimits ?? {},
    }));
    printTableOrJson(options, rows, {
      KEY: 'key_id',
      ACCOUNT: 'account_id',
      NAME: 'name',
      CREATED: 'created_at',
      EXPIRES: 'expires_at',
      'LAST USED': 'last_used_at',
      REVOKED: 'revoked_at',
    });
  }
}

interface LimitOptions extends JsonOption {
  route: ApiRateLimitName;
  perMinute?: number;
  reset?: boolean;
}

@SubCommand({ name: 'limit', arguments: '<key_id>', description: 'set the rate limit of a key for a route' })
@WithOptions(
  { flags: '--route <name>', required: true, description: ROUTES, parse: parseRoute },
  { flags: '--per-minute <number>', description: 'requests per minute', parse: parseRequestsPerMinute },
  { flags: '--reset', description: 'remove the limit of the key: the default limit applies again' },
)
export class SetKeyRateLimitCommand extends OperatorCommand {
  async run([keyId = '']: string[], options: LimitOptions): Promise<void> {
    const { route, perMinute, reset = false } = options;
    if (reset === (perMinute !== undefined)) throw new CommandError('Give either --per-minute or --reset.');
    const { dataSource } = await this.context.open();
    const limits = await inTransaction(dataSource, async (tx) => {
      const changed = await setRateLimitOverride(tx, keyId, route, perMinute ?? null);
      if (changed === null) return null;
      const { accountId, name } = await tx.findOneByOrFail(ApiKey, { id: keyId });
      const details = { name, limit: route, requests_per_minute: perMinute ?? null };
      await recordOperatorAction(tx, { accountId, action: 'key.limit_changed', target: keyId, details });
      return changed;
    });
    if (limits === null) throw new CommandError(`There is no valid key ${keyId}.`);
    const limit = limits[route] ?? API_LIMITS_PER_MINUTE[route];
    printResult(
      options,
      { key_id: keyId, limits },
      () => `Key ${keyId} may call ${route} ${limit} times a minute.`,
    );
  }
}

@SubCommand({ name: 'revoke', arguments: '<key_id>', description: 'revoke a key at once' })
export class RevokeKeyCommand extends OperatorCommand {
  async run([keyId = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource, apiKeys } = await this.context.open();
    const isRevoked = await inTransaction(dataSource, async (tx) => {
      if (!(await apiKeys.revoke(keyId, tx))) return false;
      const { accountId, name } = await tx.findOneByOrFail(ApiKey, { id: keyId });
      await recordOperatorAction(tx, { accountId, action: 'key.revoked', target: keyId, details: { name } });
      return true;
    });
    if (!isRevoked) throw new CommandError(`There is no valid key ${keyId}.`);
    printResult(options, { key_id: keyId, revoked: true }, () => `Key ${keyId} is revoked.`);
  }
}

export const KEY_COMMANDS = createParentCommandProviders(
  { name: 'keys', description: 'create, list, limit and revoke API keys' },
  [CreateKeyCommand, ListKeysCommand, SetKeyRateLimitCommand, RevokeKeyCommand],
);

function parseRoute(name: string): ApiRateLimitName {
  if (isApiRateLimitName(name)) return name;
  throw new CommandError(`There is no route ${name}; one of ${ROUTES}.`);
}
