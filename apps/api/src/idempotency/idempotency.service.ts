import { randomUUID } from 'node:crypto';
import { ServiceError } from '@app/errors';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { fingerprintOf } from './fingerprint.js';
import { answerKey, claimKey, type HeldKey, readKey, releaseKey, renewKey } from './key-rows.js';
import { SealedAnswers } from './sealed-answers.js';
import { Remembered } from './remembered.js';
import type { Repeat } from './repeat.js';

const RETRY_AFTER_SECONDS = 2;
/** A key that was seen neither free nor taken so often changes hands all the time. */
const LOOKS = 3;

/**
 * To be called in the transaction that creates what the answer is about, before anything else of it.
 * @throws ServiceError `idempotency_key_in_use` when the key was lost meanwhile; the transaction must not commit then
 */
export type Remember = (tx: EntityManager, fingerprint: string, answer: object) => Promise<void>;

/** The same for a request whose fingerprint is known. */
export type RememberAnswer = (tx: EntityManager, answer: object) => Promise<void>;

export interface Attempt<T> {
  /** The request is the first with its key, or has none: then there is nothing to remember. */
  first(remember: Remember | undefined): Promise<T>;
  /** It was answered before. */
  again(remembered: Remembered): Promise<T>;
}

/** Requests that create something, done once however often they are sent: `docs/adr/0005-idempotency.md`. */
@Injectable()
export class Idempotency {
  constructor(
    private readonly dataSource: DataSource,
    private readonly answers: SealedAnswers,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /**
   * Creates, or answers what was answered before.
   * @param request the validated body: another one under the same key is refused
   * @throws ServiceError `idempotency_key_in_use`, `idempotency_key_reused`
   */
  once<T extends object>(
    repeat: Repeat | null,
    request: object,
    create: (remember: RememberAnswer | undefined) => Promise<T>,
  ): Promise<T> {
    if (repeat === null) return create(undefined);
    const fingerprint = fingerprintOf(request);
    return this.attempt(repeat, {
      first: (remember) => create(remember && ((tx, answer) => remember(tx, fingerprint, answer))),
      again: async (remembered) => remembered.answerTo<T>(fingerprint),
    });
  }

  /**
   * For a request that cannot be judged before it has been read. The key is held while `first` works, and is free
   * again when that throws.
   * @throws ServiceError `idempotency_key_in_use`, and what the attempt throws
   */
  async attempt<T>(repeat: Repeat | null, { first, again }: Attempt<T>): Promise<T> {
    if (repeat === null) return first(undefined);
    const held = await this.claim(repeat);
    if (!(held instanceof Remembered)) return this.holding(held, first);
    const answer = await again(held);
    repeat.markReplayed();
    return answer;
  }

  private async claim({ accountId, route, key }: Repeat): Promise<HeldKey | Remembered> {
    const db = this.dataSource.manager;
    const held = { accountId, route, key, claim: randomUUID() };
    for (let look = 0; look < LOOKS; look += 1) {
      if (await claimKey(db, held, this.options.idempotency.leaseSeconds)) return held;
      const row = await readKey(db, held);
      if (row && row.fingerprint !== null)
        return new Remembered(row.fingerprint, this.answers.open(held, row));
      if (row) break;
    }
    throw inProgress();
  }

  private async holding<T>(held: HeldKey, first: Attempt<T>['first']): Promise<T> {
    const { leaseSeconds, seconds } = this.options.idempotency;
    const db = this.dataSource.manager;
    // A renewal that fails is made up for by the next; a lease that ran out shows when the answer is to be remembered.
    const renew = () => void renewKey(db, held, leaseSeconds).catch(() => undefined);
    const renewal = setInterval(renew, (leaseSeconds * 1000) / 3).unref();
    try {
      return await first(async (tx, fingerprint, answer) => {
        const sealed = this.answers.seal(held, JSON.stringify(answer));
        if (!(await answerKey(tx, held, { fingerprint, answer: sealed, seconds }))) throw inProgress();
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
