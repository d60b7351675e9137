import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiKeys } from '@app/auth';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Observable, Subject } from 'rxjs';

/** A revocation bites within a second, the answer of the database included. */
const LOOK_EVERY_MS = 400;

/** Notices that the key of an open stream was revoked: one question a pass, however many streams and keys there are. */
@Injectable()
export class KeyRevocationWatcher implements OnModuleDestroy {
  private readonly logger = new Logger(KeyRevocationWatcher.name);
  private readonly revocationsByKey = new Map<string, Subject<void>>();
  /** Looks are no part of the request that asked for the first one. */
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
      this.timer ??= this.outsideRequestContext(setTimeout, () => void this.poll(), LOOK_EVERY_MS);
  }

  private async poll(): Promise<void> {
    const asked = [...this.revocationsByKey.keys()];
    try {
      const valid = await this.keys.findValidKeyIds(asked);
      for (const keyId of asked) if (!valid.has(keyId)) this.emitRevocation(keyId);
    } catch (error) {
      // Streams outlive a database that is away; the next pass asks again.
      this.logger.debug(error instanceof Error ? error.message : 'the keys could not be asked for');
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
