import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiKeys } from '@app/auth';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Observable, Subject } from 'rxjs';

/** A revocation takes effect within a second, including the query. */
const POLL_INTERVAL_MS = 400;

/** Polls the keys of all open streams with one query and signals revoked ones. */
@Injectable()
export class KeyRevocationWatcher implements OnModuleDestroy {
  private readonly logger = new Logger(KeyRevocationWatcher.name);
  private readonly revocationsByKey = new Map<string, Subject<void>>();
  /** Polls must not run in the async context of the first request. */
  private readonly outsideRequestContext = AsyncLocalStorage.snapshot();
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(ApiKeys) private readonly keys: Pick<ApiKeys, 'findValidKeyIds'>) {}

  /** Emits once, when the key is no longer valid. */
  watch(keyId: string): Observable<void> {
    return new Observable((watcher) => {
      const subject = this.revocationsByKey.get(keyId) ?? new Subject<void>();
      this.revocationsByKey.set(keyId, subject);
      const subscription = subject.subscribe(watcher);
      this.schedule();
      return () => {
        subscription.unsubscribe();
        if (!subject.observed && this.revocationsByKey.get(keyId) === subject)
          this.revocationsByKey.delete(keyId);
      };
    });
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
    this.revocationsByKey.clear();
  }

  private schedule(): void {
    if (this.revocationsByKey.size > 0)
      this.timer ??= this.outsideRequestContext(setTimeout, () => void this.poll(), POLL_INTERVAL_MS);
  }

  private async poll(): Promise<void> {
    const keyIds = [...this.revocationsByKey.keys()];
    try {
      const valid = await this.keys.findValidKeyIds(keyIds);
      for (const keyId of keyIds) if (!valid.has(keyId)) this.emitRevocation(keyId);
    } catch (error) {
      // Streams survive a database outage; the next poll tries again.
      this.logger.debug(error instanceof Error ? error.message : 'the key query failed');
    }
    this.timer = undefined;
    this.schedule();
  }

  private emitRevocation(keyId: string): void {
    const subject = this.revocationsByKey.get(keyId);
    this.revocationsByKey.delete(keyId);
    subject?.next();
    subject?.complete();
  }
}
