import { isDatabaseUnavailableError } from '@app/database';
import { settlesWithin } from '@app/async';
import { OBJECT_STORE_TOKEN, type ObjectStore, StoreUnavailableError } from '@app/storage';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { assertStoreIdentitiesMatch, claimOrVerifyStore, compareStoreIdentities } from './store-identity.js';
import { StoreMismatchError } from './store-mismatch.js';
import { incrementBothGenerations } from './update-store-identity.js';

export const STORE_OWNERSHIP_SERVICE_OPTIONS_TOKEN = Symbol('STORE_OWNERSHIP_SERVICE_OPTIONS_TOKEN');

export interface StoreOwnershipServiceOptions {
  /**
   * A processor advances the generation; an API, which deletes nothing itself, also serves an older database.
   */
  program: 'api' | 'processor';
  /** Limits how long `start` waits for an unavailable store; retries continue after that. */
  startTimeoutMs?: number;
  retryMs?: number;
}

const START_TIMEOUT_MS = 5_000;
const RETRY_MS = 2_000;
/** One of this many attempts at an unavailable store is logged. */
const LOG_EVERY_ATTEMPTS = 15;

/**
 * Nothing is consumed, swept or deleted before both sides are verified. An unavailable store is no mismatch:
 * it is retried.
 */
@Injectable()
export class StoreOwnershipService implements OnModuleDestroy {
  private readonly logger = new Logger(StoreOwnershipService.name);
  /** Never resolves after a mismatch. */
  readonly confirmed: Promise<void>;
  private resolveConfirmed: () => void = () => undefined;
  private hasConfirmed = false;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private onMismatch: (error: Error) => void = () => undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    @Inject(STORE_OWNERSHIP_SERVICE_OPTIONS_TOKEN)
    private readonly options: StoreOwnershipServiceOptions,
  ) {
    this.confirmed = new Promise((resolve) => (this.resolveConfirmed = resolve));
  }

  get isConfirmed(): boolean {
    return this.hasConfirmed;
  }

  /**
   * Await it before serving or consuming. Also resolves if the store is unavailable.
   * @param onMismatch called for a mismatch that is found later; the program must end
   * @throws StoreMismatchError
   */
  async start(onMismatch: (error: Error) => void): Promise<void> {
    this.onMismatch = onMismatch;
    const { startTimeoutMs = START_TIMEOUT_MS } = this.options;
    const first = this.confirm();
    if (await settlesWithin(first, startTimeoutMs)) return first;
    first.catch((error: unknown) => this.onMismatch(error as Error));
  }

  /** @throws StoreMismatchError after calling `onMismatch`; StoreUnavailableError; errors of the database */
  verify(): Promise<void> {
    return this.reportMismatch(
      async () =>
        void assertStoreIdentitiesMatch(
          this.store,
          await compareStoreIdentities(this.dataSource, this.store),
        ),
    );
  }

  /** An unavailable side is no mismatch. @throws StoreMismatchError, without calling `onMismatch` */
  async verifyIfReachable(): Promise<void> {
    try {
      assertStoreIdentitiesMatch(this.store, await compareStoreIdentities(this.dataSource, this.store));
    } catch (error) {
      if (!isUnreachable(error)) throw error;
    }
  }

  /** Verifies both sides first. @throws as `verify` */
  advance(): Promise<void> {
    return this.reportMismatch(
      async () => void (await incrementBothGenerations(this.dataSource, this.store)),
    );
  }

  onModuleDestroy(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Retries until both sides respond. @throws StoreMismatchError */
  private async confirm(attempt = 1): Promise<void> {
    try {
      await this.verifyOnce();
      this.hasConfirmed = true;
      this.resolveConfirmed();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      if (this.closed) return;
      if (attempt % LOG_EVERY_ATTEMPTS === 1)
        this.logger.warn(
          `cannot identify the object store${this.describeLocation(error)} yet: ${error.message}`,
        );
      await this.pause();
      if (!this.closed) return this.confirm(attempt + 1);
    }
  }

  private async verifyOnce(): Promise<void> {
    try {
      await claimOrVerifyStore(this.dataSource, this.store);
      if (this.options.program === 'processor') await incrementBothGenerations(this.dataSource, this.store);
    } catch (error) {
      const isTolerated = this.options.program === 'api' && isDatabaseOlder(error);
      if (!isTolerated) throw error;
      this.logger.warn(`${error.message} This API serves it as it is.`);
    }
    // A restored file store lacks its directories.
    await this.store.provision();
  }

  /** Not if the database is unavailable: the line would blame the wrong server. */
  private describeLocation(error: Error): string {
    return error instanceof StoreUnavailableError ? ` (${this.store.location})` : '';
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
  return error instanceof StoreUnavailableError || isDatabaseUnavailableError(error);
}

function isDatabaseOlder(error: unknown): error is StoreMismatchError {
  return error instanceof StoreMismatchError && error.reason === 'database_older';
}
