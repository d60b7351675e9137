import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ApiKey, BatchLoader } from '@app/database';
import { ServiceError } from '@app/errors';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import type { ApiKeyCaller } from '../guard/caller.js';
import { findActiveKeysWithAccountByIds, filterValidKeyIds } from './api-key.repository.js';
import { hashApiKey, generateApiKey, parseApiKey } from './key-format.js';

export const API_KEY_HASHING_OPTIONS_TOKEN = Symbol('API_KEY_HASHING_OPTIONS_TOKEN');

export interface ApiKeyHashingOptions {
  /** Keyed hash of API keys; 32 bytes. */
  hashingKey: Buffer;
}

const SUSPENDED_DETAIL = 'The account of this API key is suspended; ask the operator of the service.';

@Injectable()
export class ApiKeys {
  private readonly keyLoader = new BatchLoader((ids: readonly string[]) =>
    findActiveKeysWithAccountByIds(this.keys.manager, ids),
  );

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    @Inject(API_KEY_HASHING_OPTIONS_TOKEN) private readonly options: ApiKeyHashingOptions,
  ) {}

  /** The text of the key is returned here and not stored. */
  async create(
    accountId: string,
    name: string,
    tx: EntityManager = this.keys.manager,
    { createdBy = null, expiresAt = null }: Partial<Pick<ApiKey, 'createdBy' | 'expiresAt'>> = {},
  ): Promise<CreatedApiKey> {
    const key = generateApiKey();
    const hash = hashApiKey(key, this.options.hashingKey);
    await tx.insert(ApiKey, { id: key.id, accountId, name, hash, createdBy, expiresAt });
    return { keyId: key.id, apiKey: key.text };
  }

  /**
   * @returns null if the key is malformed, unknown or revoked
   * @throws ServiceError `invalid_api_key` if the account is suspended, which only a valid key reveals
   */
  async verify(text: string): Promise<ApiKeyCaller | null> {
    const parts = parseApiKey(text);
    if (!parts) return null;
    const row = await this.keyLoader.load(parts.id);
    if (!row || !timingSafeEqual(row.hash, hashApiKey(parts, this.options.hashingKey))) return null;
    if (row.suspended) throw new ServiceError('invalid_api_key', { detail: SUSPENDED_DETAIL });
    const { accountId, name: keyName, limitOverrides } = row;
    return { accountId, keyId: parts.id, keyName, limitOverrides };
  }

  /** @returns the keys that are known, not revoked and not of a suspended account */
  findValidKeyIds(keyIds: readonly string[]): Promise<Set<string>> {
    return filterValidKeyIds(this.keys.manager, keyIds);
  }

  async list(accountId?: string): Promise<ApiKey[]> {
    return this.keys.find({
      where: accountId === undefined ? {} : { accountId },
      order: { createdAt: 'ASC' },
    });
  }

  /** @returns false if the key is unknown or already revoked */
  async revoke(keyId: string, tx: EntityManager = this.keys.manager): Promise<boolean> {
    const revoked = await tx.update(ApiKey, { id: keyId, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    return revoked.affected === 1;
  }
}

export interface CreatedApiKey {
  keyId: string;
  apiKey: string;
}
