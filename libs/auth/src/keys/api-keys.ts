import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ApiKey, BatchLoader, getPgPool } from '@app/database';
import { ServiceError } from '@app/errors';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { AUTH_OPTIONS, type AuthOptions } from '../auth-options.js';
import type { Caller } from '../guard/caller.js';
import type { LimitOverrides } from '../rate-limits/route-limits.js';
import { hashKey, generateKey, parseKey } from './key-format.js';

const FIND_KEYS = {
  name: 'api-key',
  text: `SELECT key.id, key.account_id, key.hash, key.rate_limits, account.suspended_at IS NOT NULL AS suspended
         FROM api_key key JOIN account ON account.id = key.account_id
         WHERE key.id = ANY($1) AND key.revoked_at IS NULL`,
};

const SUSPENDED_DETAIL = 'The account of this API key is suspended; ask the operator of the service.';

interface KeyRow {
  id: string;
  account_id: string;
  hash: Buffer;
  rate_limits: LimitOverrides | null;
  suspended: boolean;
}

/** Makes, checks, lists and revokes API keys. */
@Injectable()
export class ApiKeys {
  private readonly keyLoader = new BatchLoader((ids: readonly string[]) => this.loadKeys(ids));

  constructor(
    private readonly dataSource: DataSource,
    @Inject(AUTH_OPTIONS) private readonly options: AuthOptions,
  ) {}

  /** The text of the key is in the answer and nowhere else. */
  async create(
    accountId: string,
    name: string,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<NewApiKey> {
    const key = generateKey();
    await tx.insert(ApiKey, { id: key.id, accountId, name, hash: hashKey(key, this.options.hashingKey) });
    return { keyId: key.id, apiKey: key.text };
  }

  /**
   * Whose key it is; null when it is malformed, unknown or revoked.
   * @throws ServiceError `invalid_api_key` when the key is right and its account suspended: only its owner is told so
   */
  async verify(text: string): Promise<Caller | null> {
    const parts = parseKey(text);
    if (!parts) return null;
    const row = await this.keyLoader.load(parts.id);
    if (!row || !timingSafeEqual(row.hash, hashKey(parts, this.options.hashingKey))) return null;
    if (row.suspended) throw new ServiceError('invalid_api_key', { detail: SUSPENDED_DETAIL });
    return { accountId: row.account_id, keyId: parts.id, limitOverrides: row.rate_limits };
  }

  private async loadKeys(ids: readonly string[]): Promise<(KeyRow | undefined)[]> {
    const { rows } = await getPgPool(this.dataSource).query<KeyRow>({ ...FIND_KEYS, values: [ids] });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }

  /** Those of the keys that are neither unknown nor revoked nor of a suspended account. */
  async findValidKeyIds(keyIds: readonly string[]): Promise<Set<string>> {
    const { rows } = await getPgPool(this.dataSource).query<{ id: string }>(
      `SELECT key.id FROM api_key key JOIN account ON account.id = key.account_id
       WHERE key.id = ANY($1) AND key.revoked_at IS NULL AND account.suspended_at IS NULL`,
      [keyIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async list(accountId?: string): Promise<ApiKey[]> {
    return this.dataSource.manager.find(ApiKey, {
      where: accountId === undefined ? {} : { accountId },
      order: { createdAt: 'ASC' },
    });
  }

  /** False when there is no such key or it is revoked already. */
  async revoke(keyId: string): Promise<boolean> {
    const revoked = await this.dataSource.manager.update(
      ApiKey,
      { id: keyId, revokedAt: IsNull() },
      { revokedAt: () => 'now()' },
    );
    return revoked.affected === 1;
  }
}

export interface NewApiKey {
  keyId: string;
  apiKey: string;
}
