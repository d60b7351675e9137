import { randomUUID } from 'node:crypto';
import { ServiceError } from '@app/errors';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { fingerprintRequest } from './fingerprint-request.js';
import {
  saveKeyResponse,
  claimKey,
  type ClaimedKey,
  readKey,
  releaseKey,
  renewKey,
} from './idempotency-key.repository.js';
import { SealedResponses } from './sealed-responses.js';
import { StoredResponse } from './stored-response.js';
import type { IdempotentRequest } from './idempotent-request.js';

const RETRY_AFTER_SECONDS = 2;
/** The key can be released between the claim and the read; after this many attempts the caller retries. */
const MAX_CLAIM_ATTEMPTS = 3;

/**
 * Stores the response. Call it first in the transaction that creates the resource.
 * @throws ServiceError `idempotency_key_in_use` when the key was lost meanwhile; the transaction must not commit then
 */
export type SaveFingerprintedResponse = (
  tx: EntityManager,
  fingerprint: string,
  answer: object,
) => Promise<void>;

/** Like `SaveFingerprintedResponse`, for a request whose fingerprint is known. */
export type SaveResponse = (tx: EntityManager, answer: object) => Promise<void>;

export interface IdempotentOperation<T> {
  /** Runs for the first request with a key, and for requests without one (`saveResponse` is undefined then). */
  execute(saveResponse: SaveFingerprintedResponse | undefined): Promise<T>;
  /** Runs when the key has a stored response. */
  replay(storedResponse: StoredResponse): Promise<T>;
}

/** Executes a request once per idempotency key and replays its response: `docs/adr/0005-idempotency.md`. */
@Injectable()
export class IdempotencyService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly responses: SealedResponses,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /**
   * Executes `create`, or replays the stored response.
   * @param request the validated body; the same key with another body is rejected
   * @throws ServiceError `idempotency_key_in_use`, `idempotency_key_reused`
   */
  executeOnce<T extends object>(
    idempotentRequest: IdempotentRequest | null,
    request: object,
    create: (saveResponse: SaveResponse | undefined) => Promise<T>,
  ): Promise<T> {
    if (idempotentRequest === null) return create(undefined);
    const fingerprint = fingerprintRequest(request);
    return this.executeOrReplay(idempotentRequest, {
      execute: (saveResponse) =>
        create(saveResponse && ((tx, answer) => saveResponse(tx, fingerprint, answer))),
      replay: async (storedResponse) => storedResponse.replay<T>(fingerprint),
    });
  }

  /**
   * For a request whose fingerprint is known only after its body is read. The key is claimed while `execute` runs and
   * released if it throws.
   * @throws ServiceError `idempotency_key_in_use`, and what the attempt throws
   */
  async executeOrReplay<T>(
    repeat: IdempotentRequest | null,
    { execute, replay }: IdempotentOperation<T>,
  ): Promise<T> {
    if (repeat === null) return execute(undefined);
    const held = await this.claimOrLoad(repeat);
    if (!(held instanceof StoredResponse)) return this.executeWithLease(held, execute);
    const answer = await replay(held);
    repeat.markReplayed();
    return answer;
  }

  private async claimOrLoad({
    accountId,
    route,
    key,
  }: IdempotentRequest): Promise<ClaimedKey | StoredResponse> {
    const db = this.dataSource.manager;
    const held = { accountId, route, key, claimId: randomUUID() };
    for (let attempt = 0; attempt < MAX_CLAIM_ATTEMPTS; attempt += 1) {
      if (await claimKey(db, held, this.options.idempotency.leaseSeconds)) return held;
      const row = await readKey(db, held);
      if (row && row.fingerprint !== null)
        return new StoredResponse(row.fingerprint, this.responses.open(held, row));
      if (row) break;
    }
    throw keyInUseError();
  }

  private async executeWithLease<T>(held: ClaimedKey, first: IdempotentOperation<T>['execute']): Promise<T> {
    const { leaseSeconds, retentionSeconds } = this.options.idempotency;
    const db = this.dataSource.manager;
    // The next renewal makes up for a failed one; an expired lease is detected when the response is stored.
    const renew = () => void renewKey(db, held, leaseSeconds).catch(() => undefined);
    const renewal = setInterval(renew, (leaseSeconds * 1000) / 3).unref();
    try {
      return await first(async (tx, fingerprint, answer) => {
        const sealed = this.responses.seal(held, JSON.stringify(answer));
        const response = { fingerprint, answer: sealed, seconds: retentionSeconds };
        if (!(await saveKeyResponse(tx, held, response))) throw keyInUseError();
      });
    } catch (error) {
      // If this fails too, the lease expires.
      await releaseKey(db, held).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }
}

function keyInUseError(): ServiceError {
  return new ServiceError('idempotency_key_in_use', {
    detail: 'A request with this Idempotency-Key is being worked on. Send it again for its answer.',
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
