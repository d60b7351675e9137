import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  defer,
  finalize,
  interval,
  map,
  Observable,
  ReplaySubject,
  startWith,
  Subscription,
  takeUntil,
} from 'rxjs';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';

export interface StreamQueuePosition {
  position: number;
  eta_seconds: number;
}

const INITIAL_MEAN_SECONDS = 10;

/**
 * Serves at most `maxConcurrent` streams of a process at once; further streams are queued and receive their position.
 */
@Injectable()
export class StreamAdmissionQueue implements OnModuleDestroy {
  private readonly waitingStarts: (() => void)[] = [];
  /** Replayed for streams that are opened during shutdown. */
  private readonly shutdown = new ReplaySubject<void>(1);
  private activeCount = 0;
  private meanStreamSeconds = INITIAL_MEAN_SECONDS;

  constructor(@Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions) {}

  get activeStreams(): number {
    return this.activeCount;
  }

  get waitingStreams(): number {
    return this.waitingStarts.length;
  }

  /** Serves the stream when a slot is free; before that, emits a message for each position in the queue. */
  serve<T>(stream: Observable<T>, toMessage: (position: StreamQueuePosition) => T): Observable<T> {
    const admitted = defer(() =>
      this.activeCount < this.options.streams.maxConcurrent
        ? this.startNow(stream)
        : this.enqueue(stream, toMessage),
    );
    return admitted.pipe(takeUntil(this.shutdown));
  }

  /** Ends open streams, which would keep the process alive; clients resume elsewhere. */
  onModuleDestroy(): void {
    this.waitingStarts.length = 0;
    this.shutdown.next();
  }

  private enqueue<T>(stream: Observable<T>, toMessage: (position: StreamQueuePosition) => T): Observable<T> {
    return new Observable<T>((client) => {
      const positionUpdates = new Subscription();
      const leave = () => {
        positionUpdates.unsubscribe();
        const index = this.waitingStarts.indexOf(start);
        if (index >= 0) this.waitingStarts.splice(index, 1);
      };
      const start = () => {
        leave();
        client.add(this.startNow(stream).subscribe(client));
      };
      this.waitingStarts.push(start);
      positionUpdates.add(
        this.watchPosition(start).subscribe((position) => client.next(toMessage(position))),
      );
      return leave;
    });
  }

  private startNow<T>(stream: Observable<T>): Observable<T> {
    return defer(() => {
      this.activeCount += 1;
      const startedAt = Date.now();
      return stream.pipe(finalize(() => this.releaseSlot((Date.now() - startedAt) / 1000)));
    });
  }

  private releaseSlot(seconds: number): void {
    this.activeCount -= 1;
    this.meanStreamSeconds = this.meanStreamSeconds * 0.9 + seconds * 0.1;
    this.waitingStarts.shift()?.();
  }

  /** The position of the next queued stream. */
  nextPosition(): StreamQueuePosition {
    return this.estimateWait(this.waitingStarts.length + 1);
  }

  private watchPosition(start: () => void): Observable<StreamQueuePosition> {
    return interval(this.options.streams.waitingSeconds * 1000).pipe(
      startWith(0),
      map(() => this.estimateWait(this.waitingStarts.indexOf(start) + 1)),
    );
  }

  private estimateWait(position: number): StreamQueuePosition {
    const eta = (this.meanStreamSeconds * position) / this.options.streams.maxConcurrent;
    return { position, eta_seconds: Math.max(1, Math.ceil(eta)) };
  }
}
