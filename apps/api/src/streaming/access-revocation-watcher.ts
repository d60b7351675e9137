import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiKeys, type Caller, type SessionAccountAndRole, Sessions } from '@app/auth';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Observable, Subject } from 'rxjs';

/** A revocation takes effect within a second, including the query. */
const POLL_INTERVAL_MS = 400;

interface WatchedAccess {
  caller: Caller;
  revocation: Subject<void>;
}

/**
 * Polls the keys and the sessions of all open streams with one query each. A key is revoked; a session ends, or shows
 * another account, or its user has another role.
 */
@Injectable()
export class AccessRevocationWatcher implements OnModuleDestroy {
  private readonly logger = new Logger(AccessRevocationWatcher.name);
  private readonly watched = new Map<string, WatchedAccess>();
  /** Polls must not run in the async context of the first request. */
  private readonly outsideRequestContext = AsyncLocalStorage.snapshot();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(ApiKeys) private readonly keys: Pick<ApiKeys, 'findValidKeyIds'>,
    @Inject(Sessions) private readonly sessions: Pick<Sessions, 'findAccess'>,
  ) {}

  /** Emits once, when the caller no longer has the access of its request. */
  watch(caller: Caller): Observable<void> {
    const name = buildAccessName(caller);
    return new Observable((watcher) => {
      const access = this.watched.get(name) ?? { caller, revocation: new Subject<void>() };
      this.watched.set(name, access);
      const subscription = access.revocation.subscribe(watcher);
      this.schedule();
      return () => {
        subscription.unsubscribe();
        if (!access.revocation.observed && this.watched.get(name) === access) this.watched.delete(name);
      };
    });
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
    this.watched.clear();
  }

  private schedule(): void {
    if (this.watched.size > 0)
      this.timer ??= this.outsideRequestContext(setTimeout, () => void this.poll(), POLL_INTERVAL_MS);
  }

  private async poll(): Promise<void> {
    const watched = [...this.watched];
    try {
      const valid = await this.findValidAccessNames(watched.map(([, { caller }]) => caller));
      for (const [name, access] of watched) if (!valid.has(name)) this.emitRevocation(name, access);
    } catch (error) {
      // Streams survive a database outage; the next poll tries again.
      this.logger.debug(error instanceof Error ? error.message : 'the query for revoked access failed');
    }
    this.timer = undefined;
    this.schedule();
  }

  private async findValidAccessNames(callers: readonly Caller[]): Promise<ReadonlySet<string>> {
    const keyIds = callers.flatMap(({ keyId }) => keyId ?? []);
    const sessionIds = callers.flatMap((caller) => (caller.keyId === null ? caller.sessionId : []));
    const [validKeyIds, sessions] = await Promise.all([
      keyIds.length > 0 ? this.keys.findValidKeyIds(keyIds) : [],
      sessionIds.length > 0 ? this.sessions.findAccess(sessionIds) : [],
    ]);
    return new Set([...validKeyIds, ...sessions.map(buildSessionAccessName)]);
  }

  private emitRevocation(name: string, access: WatchedAccess): void {
    if (this.watched.get(name) === access) this.watched.delete(name);
    access.revocation.next();
    access.revocation.complete();
  }
}

function buildAccessName(caller: Caller): string {
  return caller.keyId ?? buildSessionAccessName(caller);
}

function buildSessionAccessName({ sessionId, accountId, role }: SessionAccountAndRole): string {
  return `session:${sessionId}:${accountId}:${role}`;
}
