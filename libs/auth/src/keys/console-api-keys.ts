import { ApiKey, inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type AuditActor, recordAuditEvent } from '../audit/audit-log.repository.js';
import { assertRolePermits } from '../people/members/assert-role-permits.js';
import { lockRoleOfMember } from '../people/members/membership.repository.js';
import {
  type ApiKeyWithCreatorAndOpenJobCount,
  countUsableApiKeys,
  listApiKeysOfAccount,
} from './api-key.repository.js';
import { ApiKeys, type CreatedApiKey } from './api-keys.js';

/** Those that were revoked or have expired do not count. */
const MAX_API_KEYS_PER_ACCOUNT = 1_000;

export interface ConsoleApiKeyToCreate {
  accountId: string;
  name: string;
  userId: string;
  expiresAt: Date | null;
}

/** Keys of an account as its members manage them. */
@Injectable()
export class ConsoleApiKeys {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: ApiKeys,
  ) {}

  /** Newest first. */
  list(accountId: string): Promise<ApiKeyWithCreatorAndOpenJobCount[]> {
    return listApiKeysOfAccount(this.dataSource, accountId);
  }

  /** @throws ServiceError as `createInTransaction` */
  create(key: ConsoleApiKeyToCreate, actor: AuditActor): Promise<CreatedApiKey> {
    return inTransaction(this.dataSource, (tx) => this.createInTransaction(tx, key, actor));
  }

  /**
   * @param moreDetails for the audit log
   * @throws ServiceError `permission_denied` if the user may not create keys any more, `conflict` if the account has too many
   */
  async createInTransaction(
    tx: EntityManager,
    { accountId, name, userId, expiresAt }: ConsoleApiKeyToCreate,
    actor: AuditActor,
    moreDetails: Record<string, unknown> = {},
  ): Promise<CreatedApiKey> {
    assertRolePermits(await lockRoleOfMember(tx, accountId, userId), 'keys.create');
    // Not locked: requests of the same moment exceed the maximum by as many.
    if ((await countUsableApiKeys(tx, accountId)) >= MAX_API_KEYS_PER_ACCOUNT)
      throw new ServiceError('conflict', {
        detail: `An account has at most ${MAX_API_KEYS_PER_ACCOUNT} keys. Revoke one that is not used.`,
      });
    const key = await this.keys.create(accountId, name, tx, { createdBy: userId, expiresAt });
    const details = { name, expires_at: expiresAt, ...moreDetails };
    await recordAuditEvent(tx, actor, { accountId, action: 'key.created', target: key.keyId, details });
    return key;
  }

  /**
   * A key that was revoked before is no error.
   * @param ownerId revokes only a key that this user made; null for any
   * @throws ServiceError `no_such_resource`, `permission_denied`
   */
  revoke(accountId: string, keyId: string, ownerId: string | null, actor: AuditActor): Promise<void> {
    return inTransaction(this.dataSource, async (tx) => {
      const key = await tx.findOneBy(ApiKey, { id: keyId, accountId });
      if (!key) throw new ServiceError('no_such_resource', { detail: 'The account has no such key.' });
      if (ownerId !== null && key.createdBy !== ownerId)
        throw new ServiceError('permission_denied', { detail: 'Only admins revoke the keys of others.' });
      if (!(await this.keys.revoke(keyId, tx))) return;
      const details = { name: key.name };
      await recordAuditEvent(tx, actor, { accountId, action: 'key.revoked', target: keyId, details });
    });
  }
}
