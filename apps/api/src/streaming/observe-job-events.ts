import { AsyncLocalStorage } from 'node:async_hooks';
import { isEndEventType, type StoredJobEvent } from '@app/jobs';
import { Observable } from 'rxjs';

const RETRY_MS = 1_000;

export interface JobEventSource {
  read(afterSeq: number): Promise<StoredJobEvent[]>;
  /** Emits when there may be new events. */
  notifications: Observable<void>;
  /** Runs a function in the async context of the request; by default, that of the call. */
  runInRequest?: RunInContext | undefined;
}

export type RunInContext = ReturnType<typeof AsyncLocalStorage.snapshot>;

/**
 * Emits every event of a job after a sequence number once and in order, until that of its end. It subscribes before it
 * reads, so that no event is missed, retries a failed read, and reads in the async context of its own request.
 */
export function observeJobEvents(
  { read, notifications, runInRequest = AsyncLocalStorage.snapshot() }: JobEventSource,
  afterSeq: number,
): Observable<StoredJobEvent> {
  return new Observable((stream) => {
    let last = afterSeq;
    let isReading = false;
    let readAgain = false;
    let timer: NodeJS.Timeout | undefined;

    const readNewEvents = async () => {
      for (const event of await read(last)) {
        if (event.seq <= last) continue;
        last = event.seq;
        stream.next(event);
        if (isEndEventType(event.type)) stream.complete();
      }
    };
    const wake = async () => {
      readAgain = true;
      if (isReading) return;
      isReading = true;
      try {
        while (readAgain && !stream.closed) {
          readAgain = false;
          await readNewEvents();
        }
      } catch {
        timer = setTimeout(() => void wake(), RETRY_MS);
      } finally {
        isReading = false;
      }
    };
    const wakeInRequest = () => void runInRequest(wake);
    const subscription = notifications.subscribe(wakeInRequest);
    wakeInRequest();
    return () => {
      clearTimeout(timer);
      subscription.unsubscribe();
    };
  });
}
