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
/** A key that was seen neither free nor taken so often changes hands all the time. */
const MAX_CLAIM_ATTEMPTS = 3;

/**
 * To be called in the transaction that creates what the answer is about, before anything else of it.
 * @throws ServiceError `idempotency_key_in_use` when the key was lost meanwhile; the transaction must not commit then
 */
export type SaveFingerprintedResponse = (
  tx: EntityManager,
  fingerprint: string,
  answer: object,
) => Promise<void>;

/** The same for a request whose fingerprint is known. */
export type SaveResponse = (tx: EntityManager, answer: object) => Promise<void>;

export interface IdempotentOperation<T> {
  /** The request is the first with its key, or has none: then there is nothing to remember. */
  execute(remember: SaveFingerprintedResponse | undefined): Promise<T>;
  /** It was answered before. */
  replay(remembered: StoredResponse): Promise<T>;
}

/** Requests that create something, done once however often they are sent: `docs/adr/0005-idempotency.md`. */
@Injectable()
export class IdempotencyService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly responses: SealedResponses,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /**
   * Creates, or answers what was answered before.
   * @param request the validated body: another one under the same key is refused
   * @throws ServiceError `idempotency_key_in_use`, `idempotency_key_reused`
   */
  executeOnce<T extends object>(
    idempotentRequest: IdempotentRequest | null,
    request: object,
    create: (remember: SaveResponse | undefined) => Promise<T>,
  ): Promise<T> {
    if (idempotentRequest === null) return create(undefined);
    const fingerprint = fingerprintRequest(request);
    return this.executeOrReplay(idempotentRequest, {
      execute: (remember) => create(remember && ((tx, answer) => remember(tx, fingerprint, answer))),
      replay: async (remembered) => remembered.replay<T>(fingerprint),
    });
  }

  /**
   * For a request that cannot be judged before it has been read. The key is held while `first` works, and is free
   * again when that throws.
   * @throws ServiceError `idempotency_key_in_use`, and what the attempt throws
   */
  async executeOrReplay<T>(
    repeat: IdempotentRequest | null,
    { execute: first, replay: again }: IdempotentOperation<T>,
  ): Promise<T> {
    if (repeat === null) return first(undefined);
    const held = await this.claimOrLoad(repeat);
    if (!(held instanceof StoredResponse)) return this.executeWithLease(held, first);
    const answer = await again(held);
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
    for (let look = 0; look < MAX_CLAIM_ATTEMPTS; look += 1) {
      if (await claimKey(db, held, this.options.idempotency.leaseSeconds)) return held;
      const row = await readKey(db, held);
      if (row && row.fingerprint !== null)
        return new StoredResponse(row.fingerprint, this.responses.open(held, row));
      if (row) break;
    }
    throw inProgress();
  }

  private async executeWithLease<T>(held: ClaimedKey, first: IdempotentOperation<T>['execute']): Promise<T> {
    const { leaseSeconds, retentionSeconds: seconds } = this.options.idempotency;
    const db = this.dataSource.manager;
    // A renewal that fails is made up for by the next; a lease that ran out shows when the answer is to be remembered.
    const renew = () => void renewKey(db, held, leaseSeconds).catch(() => undefined);
    const renewal = setInterval(renew, (leaseSeconds * 1000) / 3).unref();
    try {
      return await first(async (tx, fingerprint, answer) => {
        const sealed = this.responses.seal(held, JSON.stringify(answer));
        if (!(await saveKeyResponse(tx, held, { fingerprint, answer: sealed, seconds }))) throw inProgress();
      });
    } catch (error) {
      // Where this fails, too, the lease runs out.
      await releaseKey(db, held).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }
}

function inProgress(): ServiceError {
  return new ServiceError('idempotency_key_in_use', {
    detail: 'A request with this Idempotency-Key is being worked on. Send it again for its answer.',
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
