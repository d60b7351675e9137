import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Observable, ReplaySubject } from 'rxjs';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import {
  AccountStreams,
  compareByNextSlot,
  computePosition,
  PooledStream,
  type StreamPhases,
  type StreamQueuePosition,
} from './pooled-stream.js';

const INITIAL_MEAN_SECONDS = 10;

/**
 * Serves at most `maxConcurrent` streams of a process at once; further streams wait and receive their position. A free
 * slot goes to the account that holds the fewest, in turn. While none is free, an account that holds at least two more than
 * one that waits yields a slot to it: its longest served stream waits again.
 */
@Injectable()
export class StreamAdmissionQueue implements OnModuleDestroy {
  private readonly accounts = new Map<string, AccountStreams>();
  /** Replayed for streams that are opened during shutdown. */
  readonly shutdown = new ReplaySubject<void>(1);
  private activeCount = 0;
  private waitingCount = 0;
  private lastTurn = 0;
  private isAssigning = false;
  private isShutDown = false;
  private meanStreamSeconds = INITIAL_MEAN_SECONDS;
  private slotFreeAt = 0;

  constructor(@Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions) {}

  get activeStreams(): number {
    return this.activeCount;
  }

  get waitingStreams(): number {
    return this.waitingCount;
  }

  /** Serves the stream while it has a slot; while it waits, also emits a message for each position in the queue. */
  serve<T>(accountId: string, phases: StreamPhases<T>): Observable<T> {
    return new Observable<T>((client) => {
      if (this.isShutDown) return client.complete();
      const account = this.accounts.get(accountId) ?? new AccountStreams((this.lastTurn += 1));
      this.accounts.set(accountId, account);
      const stream = new PooledStream(account, client, phases) as PooledStream;
      this.enqueue(stream);
      this.assignSlots();
      this.waitUnlessServed(stream);
      return () => {
        stream.stop();
        this.leave(accountId, stream);
      };
    });
  }

  /** Ends open streams, which would keep the process alive; clients resume elsewhere. */
  onModuleDestroy(): void {
    this.isShutDown = true;
    for (const { served, waiting } of this.accounts.values())
      for (const stream of [...served, ...waiting]) stream.complete();
    this.shutdown.next();
  }

  /** The position of the next stream of an account. */
  nextPosition(accountId: string): StreamQueuePosition {
    const account = this.accounts.get(accountId) ?? new AccountStreams(this.lastTurn + 1);
    return this.estimateWait(account, account.waiting.size);
  }

  private enqueue(stream: PooledStream): void {
    stream.account.waiting.add(stream);
    this.waitingCount += 1;
  }

  private leave(accountId: string, stream: PooledStream): void {
    const { account } = stream;
    if (account.waiting.delete(stream)) this.waitingCount -= 1;
    if (account.served.delete(stream)) {
      this.activeCount -= 1;
      account.turn = this.lastTurn += 1;
      const seconds = (Date.now() - stream.startedAt) / 1000;
      this.meanStreamSeconds = this.meanStreamSeconds * 0.9 + seconds * 0.1;
      this.slotFreeAt = Date.now();
    }
    if (account.waiting.size + account.served.size === 0) this.accounts.delete(accountId);
    this.assignSlots();
  }

  /** Streams that end while they are started are followed by others in the same loop. */
  private assignSlots(): void {
    if (this.isAssigning || this.isShutDown) return;
    this.isAssigning = true;
    const yielded: PooledStream[] = [];
    let account: AccountStreams | undefined;
    while ((account = this.findNextAccount())) {
      if (this.activeCount < this.options.streams.maxConcurrent) this.slotFreeAt = Date.now();
      else {
        const stream = this.takeSlotFor(account);
        if (stream === undefined) break;
        yielded.push(stream);
      }
      this.startNext(account);
    }
    this.isAssigning = false;
    for (const stream of yielded) this.waitUnlessServed(stream);
  }

  private startNext(account: AccountStreams): void {
    const [stream] = account.waiting;
    if (stream === undefined) return;
    account.waiting.delete(stream);
    account.served.add(stream);
    account.turn = this.lastTurn += 1;
    this.waitingCount -= 1;
    this.activeCount += 1;
    stream.start();
  }

  /** @returns the stream that waits again, or undefined if no account holds enough */
  private takeSlotFor(account: AccountStreams): PooledStream | undefined {
    let most = account;
    for (const other of this.accounts.values()) if (other.served.size > most.served.size) most = other;
    if (most.served.size < account.served.size + 2) return undefined;
    const [stream] = most.served;
    if (stream === undefined) return undefined;
    most.served.delete(stream);
    this.activeCount -= 1;
    this.enqueue(stream);
    return stream;
  }

  private findNextAccount(): AccountStreams | undefined {
    let next: AccountStreams | undefined;
    if (this.waitingCount === 0) return next;
    for (const account of this.accounts.values())
      if (account.waiting.size > 0 && (!next || compareByNextSlot(account, next) < 0)) next = account;
    return next;
  }

  private waitUnlessServed(stream: PooledStream): void {
    const { account } = stream;
    if (!account.waiting.has(stream)) return;
    stream.wait(this.options.streams.waitingSeconds * 1000, () =>
      this.estimateWait(account, [...account.waiting].indexOf(stream)),
    );
  }

  /** At least the time for which no slot has been free. */
  private estimateWait(account: AccountStreams, index: number): StreamQueuePosition {
    const position = computePosition(this.accounts.values(), account, index);
    const eta = Math.max(
      (this.meanStreamSeconds * position) / this.options.streams.maxConcurrent,
      (Date.now() - this.slotFreeAt) / 1000,
    );
    return { position, eta_seconds: Math.max(1, Math.ceil(eta)) };
  }
}
