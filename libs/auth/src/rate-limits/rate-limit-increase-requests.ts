import {
  ApiKey,
  inTransaction,
  RateLimitIncreaseRequest,
  loadAccountMemberLookup,
  type MemberIdentity,
} from '@app/database';
import { ServiceError } from '@app/errors';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type AuditActor, recordAuditEvent } from '../audit/audit-log.repository.js';
import { setRateLimitOverride } from '../keys/api-key.repository.js';
import type { ApiRateLimitName } from './route-limits.js';

export interface NewRateLimitIncreaseRequest {
  accountId: string;
  keyId: string;
  limitName: ApiRateLimitName;
  requestsPerMinute: number;
  reason: string;
  userId: string;
}

export interface RateLimitIncreaseRequestWithRequester extends Omit<
  RateLimitIncreaseRequest,
  'account' | 'key' | 'requester' | 'requestedBy'
> {
  /** Null for a deleted user. */
  requestedBy: MemberIdentity | null;
}

const MAX_LISTED = 200;

/** Requests of admins for higher rate limits, which operators grant or decline. */
@Injectable()
export class RateLimitIncreaseRequests {
  constructor(private readonly dataSource: DataSource) {}

  /** As members see them. */
  async listOfAccount(accountId: string): Promise<RateLimitIncreaseRequestWithRequester[]> {
    const referTo = await loadAccountMemberLookup(this.dataSource, accountId);
    const requests = await this.list({ accountId });
    return requests.map((request) => ({ ...request, requestedBy: referTo(request.requestedBy?.id ?? null) }));
  }

  /** As operators see them. Newest first, at most 200. @param filter without an account: of all accounts */
  async list(filter: {
    accountId?: string;
    state?: RateLimitIncreaseRequest['state'];
  }): Promise<RateLimitIncreaseRequestWithRequester[]> {
    const requests = await this.dataSource.manager.find(RateLimitIncreaseRequest, {
      where: filter,
      relations: { requester: true },
      order: { id: 'DESC' },
      take: MAX_LISTED,
    });
    return requests.map(({ requester, ...request }) => ({
      ...request,
      requestedBy: requester && { id: requester.id, name: requester.name, email: requester.email },
    }));
  }

  /** @throws ServiceError `no_such_resource` for a key that is not valid, `conflict` for a repeated request */
  create(request: NewRateLimitIncreaseRequest, actor: AuditActor): Promise<string> {
    const { accountId, keyId, limitName, requestsPerMinute, reason, userId } = request;
    return inTransaction(this.dataSource, async (tx) => {
      // Locked, so that of two requests at the same time the second finds the first.
      const where = { id: keyId, accountId, revokedAt: IsNull() };
      const key = await tx.findOne(ApiKey, { where, lock: { mode: 'pessimistic_write' } });
      if (!key) throw new ServiceError('no_such_resource', { detail: 'The account has no such valid key.' });
      if (await tx.existsBy(RateLimitIncreaseRequest, { keyId, limitName, state: 'pending' }))
        throw new ServiceError('conflict', { detail: 'A request for this key and limit is pending.' });
      const id = uuidv7();
      const row = { id, accountId, keyId, limitName, requestsPerMinute, reason, requestedBy: userId };
      await tx.insert(RateLimitIncreaseRequest, row);
      const details = {
        key: keyId,
        key_name: key.name,
        limit: limitName,
        requests_per_minute: requestsPerMinute,
      };
      await recordAuditEvent(tx, actor, { accountId, action: 'limit.requested', target: id, details });
      return id;
    });
  }

  /**
   * Sets the limit of the key as requested, or as given.
   * @throws ServiceError `no_such_resource` unless the request is pending, `conflict` for a revoked key
   */
  grant(
    id: string,
    { perMinute, answer }: { perMinute: number | null; answer: string | null },
    actor: AuditActor,
  ): Promise<{ keyId: string; limitName: string; perMinute: number }> {
    return inTransaction(this.dataSource, async (tx) => {
      const request = await lockPending(tx, id);
      const { accountId, keyId, limitName } = request;
      const granted = perMinute ?? request.requestsPerMinute;
      if ((await setRateLimitOverride(tx, keyId, limitName as ApiRateLimitName, granted)) === null)
        throw new ServiceError('conflict', { detail: 'The key of this request is revoked.' });
      const decision = { state: 'granted', requestsPerMinute: granted, answer } as const;
      await tx.update(RateLimitIncreaseRequest, { id }, { ...decision, decidedAt: () => 'now()' });
      const key_name = await readKeyName(tx, keyId);
      const details = { key: keyId, key_name, limit: limitName, requests_per_minute: granted };
      await recordAuditEvent(tx, actor, { accountId, action: 'limit.granted', target: id, details });
      return { keyId, limitName, perMinute: granted };
    });
  }

  /** @throws ServiceError `no_such_resource` unless the request is pending */
  decline(id: string, answer: string | null, actor: AuditActor): Promise<void> {
    return inTransaction(this.dataSource, async (tx) => {
      const { accountId, keyId, limitName } = await lockPending(tx, id);
      await tx.update(
        RateLimitIncreaseRequest,
        { id },
        { state: 'declined', answer, decidedAt: () => 'now()' },
      );
      const details = { key: keyId, key_name: await readKeyName(tx, keyId), limit: limitName };
      await recordAuditEvent(tx, actor, { accountId, action: 'limit.declined', target: id, details });
    });
  }
}

async function readKeyName(tx: EntityManager, keyId: string): Promise<string> {
  const { name } = await tx.findOneByOrFail(ApiKey, { id: keyId });
  return name;
}

async function lockPending(tx: EntityManager, id: string): Promise<RateLimitIncreaseRequest> {
  const where = { id, state: 'pending' } as const;
  const request = await tx.findOne(RateLimitIncreaseRequest, { where, lock: { mode: 'pessimistic_write' } });
  if (!request) throw new ServiceError('no_such_resource', { detail: 'There is no such pending request.' });
  return request;
}
