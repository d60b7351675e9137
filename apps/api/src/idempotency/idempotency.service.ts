import { randomUUID } from 'node:crypto';
import { ServiceError } from '@app/errors';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { fingerprintRequest } from './fingerprint-request.js';
import {
  type IdempotencyKeyClaim,
  claimIdempotencyKey,
  findIdempotencyKey,
  releaseIdempotencyKey,
  renewIdempotencyKeyClaim,
  saveIdempotentResponse,
} from './idempotency-key.repository.js';
import type { ScopedIdempotencyKey } from './scoped-idempotency-key.js';
import { ResponseCipher } from './response-cipher.js';
import { ReplayableResponse } from './replayable-response.js';

const RETRY_AFTER_SECONDS = 2;
/** The key can be released between the claim and the read; after this many attempts the caller retries. */
const MAX_CLAIM_ATTEMPTS = 3;

/** Stores the response of a request in the transaction that creates its resource. @throws as `IdempotencyService.saveResponse` */
export type SaveResponseCallback = (tx: EntityManager, response: object) => Promise<void>;

/** Executes a request once per idempotency key and replays its response: `docs/adr/0005-idempotency.md`. */
@Injectable()
export class IdempotencyService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: ResponseCipher,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  /**
   * Replays the stored response of the key, or executes the request under a claim. Without a key it is just executed.
   * @param body validated; the same key with another body is rejected
   * @param execute must call `saveResponse`, if given, in the transaction that creates the resource
   * @throws ServiceError `idempotency_key_in_use`, `idempotency_key_reused`, and what `execute` throws
   */
  async executeOnce<T extends object>(
    request: ScopedIdempotencyKey | null,
    body: object,
    execute: (saveResponse?: SaveResponseCallback) => Promise<T>,
  ): Promise<T> {
    if (request === null) return execute();
    const fingerprint = fingerprintRequest(body);
    const key = await this.findResponseOrClaim(request);
    if (key instanceof ReplayableResponse) return key.replay<T>(fingerprint);
    return this.executeClaimed(key, () =>
      execute((tx, response) => this.saveResponse(tx, key, fingerprint, response)),
    );
  }

  /**
   * Returns the stored response of the key; without one, claims the key for this request.
   * @throws ServiceError `idempotency_key_in_use` while another request holds the key
   */
  async findResponseOrClaim(
    request: ScopedIdempotencyKey,
  ): Promise<ReplayableResponse | IdempotencyKeyClaim> {
    const { accountId, route, key } = request;
    const claim = { accountId, route, key, claimId: randomUUID() };
    const db = this.dataSource.manager;
    for (let attempt = 0; attempt < MAX_CLAIM_ATTEMPTS; attempt += 1) {
      if (await claimIdempotencyKey(db, claim, this.options.idempotency.leaseSeconds)) return claim;
      const row = await findIdempotencyKey(db, claim);
      if (row && row.fingerprint !== null)
        return new ReplayableResponse(row.fingerprint, this.cipher.decrypt(claim, row), request.markReplayed);
      if (row) break;
    }
    throw keyInUseError();
  }

  /** Executes a request while its claim is renewed. The key is released if the request fails. */
  async executeClaimed<T>(key: IdempotencyKeyClaim, execute: () => Promise<T>): Promise<T> {
    const { leaseSeconds } = this.options.idempotency;
    const db = this.dataSource.manager;
    // The next renewal makes up for a failed one; an expired lease is detected when the response is stored.
    const renew = () => void renewIdempotencyKeyClaim(db, key, leaseSeconds).catch(() => undefined);
    const renewal = setInterval(renew, (leaseSeconds * 1000) / 3).unref();
    try {
      return await execute();
    } catch (error) {
      // If this fails too, the lease expires.
      await releaseIdempotencyKey(db, key).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /**
   * Stores the response. Call it first in the transaction that creates the resource.
   * @throws ServiceError `idempotency_key_in_use` when the claim was lost; the transaction must not commit then
   */
  async saveResponse(
    tx: EntityManager,
    key: IdempotencyKeyClaim,
    fingerprint: string,
    response: object,
  ): Promise<void> {
    const encrypted = this.cipher.encrypt(key, JSON.stringify(response));
    const { retentionSeconds } = this.options.idempotency;
    if (!(await saveIdempotentResponse(tx, key, { fingerprint, encrypted, retentionSeconds })))
      throw keyInUseError();
  }
}

function keyInUseError(): ServiceError {
  return new ServiceError('idempotency_key_in_use', {
    detail: 'A request with this Idempotency-Key is being worked on. Send it again for its response.',
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
