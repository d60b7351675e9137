import { isDatabaseUnavailable } from '@app/database';
import { settlesWithin } from '@app/jobs';
import { OBJECT_STORE, type ObjectStore, StoreUnavailable } from '@app/storage';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { advanceGeneration } from './advance-generation.js';
import { agreed, checkStore, readIdentity } from './check-store.js';
import { StoreMismatch } from './store-mismatch.js';

export const STORE_AGREEMENT_OPTIONS = Symbol('STORE_AGREEMENT_OPTIONS');

export interface StoreAgreementOptions {
  /** A processor moves the generation on; an API, which deletes nothing that it was not told to, serves an older database. */
  program: 'api' | 'processor';
  /** Milliseconds that a start waits for a store that does not answer; it is asked again and again after that. */
  patienceMs?: number;
  retryMs?: number;
}

const PATIENCE_MS = 5_000;
const RETRY_MS = 2_000;
/** Tries after which the log says once more that the store is not known yet. */
const SAID_EVERY = 15;

/**
 * Whether the database and the object store of this process belong together. Nothing is consumed, swept or deleted
 * before that is known. A store that does not answer is no mismatch: it is asked until it does.
 */
@Injectable()
export class StoreAgreement implements OnModuleDestroy {
  private readonly logger = new Logger(StoreAgreement.name);
  /** Resolves when the two are known to belong together; never where they do not. */
  readonly confirmed: Promise<void>;
  private resolveConfirmed: () => void = () => undefined;
  private known = false;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private onRefusal: (error: Error) => void = () => undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(STORE_AGREEMENT_OPTIONS) private readonly options: StoreAgreementOptions,
  ) {
    this.confirmed = new Promise((resolve) => (this.resolveConfirmed = resolve));
  }

  get isConfirmed(): boolean {
    return this.known;
  }

  /**
   * To be awaited before the program serves or consumes. Resolves also when the store does not answer.
   * @param onRefusal called when a mismatch is found later: the program has to end
   * @throws StoreMismatch
   */
  async begin(onRefusal: (error: Error) => void): Promise<void> {
    this.onRefusal = onRefusal;
    const { patienceMs = PATIENCE_MS } = this.options;
    const first = this.confirm();
    if (await settlesWithin(first, patienceMs)) return first;
    first.catch((error: unknown) => this.onRefusal(error as Error));
  }

  /** Asks both sides once more. @throws StoreMismatch, having called `onRefusal`; StoreUnavailable; what the database throws */
  verify(): Promise<void> {
    return this.orRefuse(
      async () => void agreed(this.store, await readIdentity(this.dataSource, this.store)),
    );
  }

  /** Reads both sides and refuses nothing. @throws StoreMismatch; a side that does not answer is no mismatch */
  async compare(): Promise<void> {
    try {
      agreed(this.store, await readIdentity(this.dataSource, this.store));
    } catch (error) {
      if (!isAway(error)) throw error;
    }
  }

  /** Asks both sides once more, and notes in them that the database has moved on. @throws as `verify` */
  advance(): Promise<void> {
    return this.orRefuse(async () => void (await advanceGeneration(this.dataSource, this.store)));
  }

  onModuleDestroy(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Until both sides have answered. @throws StoreMismatch */
  private async confirm(tries = 1): Promise<void> {
    try {
      await this.agree();
      this.known = true;
      this.resolveConfirmed();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (this.closed) return;
      if (tries % SAID_EVERY === 1)
        this.logger.warn(`cannot identify the object store yet: ${error.message}`);
      await this.pause();
      if (!this.closed) return this.confirm(tries + 1);
    }
  }

  private async agree(): Promise<void> {
    try {
      await checkStore(this.dataSource, this.store);
      if (this.options.program === 'processor') await advanceGeneration(this.dataSource, this.store);
    } catch (error) {
      const isTolerated = this.options.program === 'api' && isOlder(error);
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

  private async orRefuse(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof StoreMismatch && !this.closed) this.onRefusal(error);
      throw error;
    }
  }
}

function isAway(error: unknown): error is Error {
  return error instanceof StoreUnavailable || isDatabaseUnavailable(error);
}

function isOlder(error: unknown): error is StoreMismatch {
  return error instanceof StoreMismatch && error.reason === 'database_older';
}
