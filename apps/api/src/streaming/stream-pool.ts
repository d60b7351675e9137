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
import { API_OPTIONS, type ApiOptions } from '../api-options.js';

export interface Waiting {
  position: number;
  eta_seconds: number;
}

/** Turns are short: streams mostly end within the length of a job. Used until there is something to go by. */
const FIRST_GUESS_SECONDS = 10;

/**
 * At most `poolSize` streams of a process are served at once; further ones wait in line and hear where they stand.
 */
@Injectable()
export class StreamPool implements OnModuleDestroy {
  private readonly line: (() => void)[] = [];
  /** Replayed, for streams that are opened while the process ends. */
  private readonly ending = new ReplaySubject<void>(1);
  private served = 0;
  private meanSeconds = FIRST_GUESS_SECONDS;

  constructor(@Inject(API_OPTIONS) private readonly options: ApiOptions) {}

  get open(): number {
    return this.served;
  }

  get waiting(): number {
    return this.line.length;
  }

  /** The stream itself when there is room; before that, what `wait` makes of each report on the line. */
  serve<T>(stream: Observable<T>, wait: (waiting: Waiting) => T): Observable<T> {
    const turn = defer(() =>
      this.served < this.options.streams.poolSize ? this.run(stream) : this.queue(stream, wait),
    );
    return turn.pipe(takeUntil(this.ending));
  }

  /** Open streams would keep the process alive: they end here, and their clients resume elsewhere. */
  onModuleDestroy(): void {
    this.line.length = 0;
    this.ending.next();
  }

  private queue<T>(stream: Observable<T>, wait: (waiting: Waiting) => T): Observable<T> {
    return new Observable<T>((client) => {
      const reports = new Subscription();
      const leave = () => {
        reports.unsubscribe();
        const at = this.line.indexOf(turn);
        if (at >= 0) this.line.splice(at, 1);
      };
      const turn = () => {
        leave();
        client.add(this.run(stream).subscribe(client));
      };
      this.line.push(turn);
      reports.add(this.reports(turn).subscribe((report) => client.next(wait(report))));
      return leave;
    });
  }

  private run<T>(stream: Observable<T>): Observable<T> {
    return defer(() => {
      this.served += 1;
      const startedAt = Date.now();
      return stream.pipe(finalize(() => this.free((Date.now() - startedAt) / 1000)));
    });
  }

  private free(seconds: number): void {
    this.served -= 1;
    this.meanSeconds = this.meanSeconds * 0.9 + seconds * 0.1;
    this.line.shift()?.();
  }

  /** Where a stream would stand that comes now. */
  endOfLine(): Waiting {
    return this.waitingAt(this.line.length + 1);
  }

  private reports(turn: () => void): Observable<Waiting> {
    return interval(this.options.streams.waitingSeconds * 1000).pipe(
      startWith(0),
      map(() => this.waitingAt(this.line.indexOf(turn) + 1)),
    );
  }

  private waitingAt(position: number): Waiting {
    const eta = (this.meanSeconds * position) / this.options.streams.poolSize;
    return { position, eta_seconds: Math.max(1, Math.ceil(eta)) };
  }
}
