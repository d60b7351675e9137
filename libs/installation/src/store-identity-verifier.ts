import { isDatabaseUnavailable } from '@app/database';
import { settlesWithin } from '@app/jobs';
import { OBJECT_STORE, type ObjectStore, StoreUnavailableError } from '@app/storage';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { advanceGeneration } from './advance-generation.js';
import { assertIdentitiesMatch, claimOrVerifyStore, readStoreIdentity } from './store-identity.js';
import { StoreMismatchError } from './store-mismatch-error.js';

export const STORE_IDENTITY_VERIFIER_OPTIONS = Symbol('STORE_AGREEMENT_OPTIONS');

export interface StoreIdentityVerifierOptions {
  /** A processor moves the generation on; an API, which deletes nothing that it was not told to, serves an older database. */
  program: 'api' | 'processor';
  /** Milliseconds that a start waits for a store that does not answer; it is asked again and again after that. */
  startTimeoutMs?: number;
  retryMs?: number;
}

const START_TIMEOUT_MS = 5_000;
const RETRY_MS = 2_000;
/** Tries after which the log says once more that the store is not known yet. */
const LOG_EVERY_ATTEMPTS = 15;

/**
 * Whether the database and the object store of this process belong together. Nothing is consumed, swept or deleted
 * before that is known. A store that does not answer is no mismatch: it is asked until it does.
 */
@Injectable()
export class StoreIdentityVerifier implements OnModuleDestroy {
  private readonly logger = new Logger(StoreIdentityVerifier.name);
  /** Resolves when the two are known to belong together; never where they do not. */
  readonly confirmed: Promise<void>;
  private resolveConfirmed: () => void = () => undefined;
  private known = false;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private onMismatch: (error: Error) => void = () => undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(STORE_IDENTITY_VERIFIER_OPTIONS) private readonly options: StoreIdentityVerifierOptions,
  ) {
    this.confirmed = new Promise((resolve) => (this.resolveConfirmed = resolve));
  }

  get isConfirmed(): boolean {
    return this.known;
  }

  /**
   * To be awaited before the program serves or consumes. Resolves also when the store does not answer.
   * @param onMismatch called when a mismatch is found later: the program has to end
   * @throws StoreMismatchError
   */
  async start(onMismatch: (error: Error) => void): Promise<void> {
    this.onMismatch = onMismatch;
    const { startTimeoutMs: patienceMs = START_TIMEOUT_MS } = this.options;
    const first = this.confirm();
    if (await settlesWithin(first, patienceMs)) return first;
    first.catch((error: unknown) => this.onMismatch(error as Error));
  }

  /** Asks both sides once more. @throws StoreMismatchError, having called `onRefusal`; StoreUnavailableError; what the database throws */
  verify(): Promise<void> {
    return this.reportMismatch(
      async () =>
        void assertIdentitiesMatch(this.store, await readStoreIdentity(this.dataSource, this.store)),
    );
  }

  /** Reads both sides and refuses nothing. @throws StoreMismatchError; a side that does not answer is no mismatch */
  async verifyIfReachable(): Promise<void> {
    try {
      assertIdentitiesMatch(this.store, await readStoreIdentity(this.dataSource, this.store));
    } catch (error) {
      if (!isUnreachable(error)) throw error;
    }
  }

  /** Asks both sides once more, and notes in them that the database has moved on. @throws as `verify` */
  advance(): Promise<void> {
    return this.reportMismatch(async () => void (await advanceGeneration(this.dataSource, this.store)));
  }

  onModuleDestroy(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Until both sides have answered. @throws StoreMismatchError */
  private async confirm(tries = 1): Promise<void> {
    try {
      await this.verifyOnce();
      this.known = true;
      this.resolveConfirmed();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      if (this.closed) return;
      if (tries % LOG_EVERY_ATTEMPTS === 1)
        this.logger.warn(`cannot identify the object store yet: ${error.message}`);
      await this.pause();
      if (!this.closed) return this.confirm(tries + 1);
    }
  }

  private async verifyOnce(): Promise<void> {
    try {
      await claimOrVerifyStore(this.dataSource, this.store);
      if (this.options.program === 'processor') await advanceGeneration(this.dataSource, this.store);
    } catch (error) {
      const isTolerated = this.options.program === 'api' && isDatabaseOlder(error);
      if (!isTolerated) throw error;
      this.logger.warn(`${error.message} This API serves it as it is.`);
    }
    // Directories that a restored store lacks; its bucket is there.
    await this.store.provision();
  }

  private pause(): Promise<void> {
    const { retryMs = RETRY_MS } = this.options;
    return new Promise((resolve) => (this.timer = setTimeout(resolve, retryMs)));
  }

  private async reportMismatch(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof StoreMismatchError && !this.closed) this.onMismatch(error);
      throw error;
    }
  }
}

function isUnreachable(error: unknown): error is Error {
  return error instanceof StoreUnavailableError || isDatabaseUnavailable(error);
}

function isDatabaseOlder(error: unknown): error is StoreMismatchError {
  return error instanceof StoreMismatchError && error.reason === 'database_older';
}
