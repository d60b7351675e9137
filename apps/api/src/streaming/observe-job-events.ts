import { AsyncResource } from 'node:async_hooks';
import { isEndEventType, type StoredJobEvent } from '@app/jobs';
import { Observable } from 'rxjs';

const RETRY_MS = 1_000;

export interface JobEventSource {
  read(afterSeq: number): Promise<StoredJobEvent[]>;
  /** Emits when there may be new events: the number of the last one, or `Infinity` where that is not known. */
  notifications: Observable<number>;
  /** By default that of the call. */
  asyncContext?: AsyncResource | undefined;
}

/** How far a client has the events of a job. */
export interface JobEventCursor {
  /** The number of the last emitted event. */
  seq: number;
}

/**
 * Emits every event of a job after the cursor once and in order, until that of its end, and moves the cursor. It subscribes
 * before it reads, so that no event is missed, retries a failed read, and reads in the async context of its own request.
 */
export function observeJobEvents(
  { read, notifications, asyncContext = new AsyncResource('JobEventStream') }: JobEventSource,
  cursor: JobEventCursor,
): Observable<StoredJobEvent> {
  return new Observable((stream) => {
    let isReading = false;
    let readAgain = false;
    let timer: NodeJS.Timeout | undefined;

    const readNewEvents = async () => {
      for (const event of await read(cursor.seq)) {
        // Another stream may go on from the cursor meanwhile.
        if (stream.closed) return;
        if (event.seq <= cursor.seq) continue;
        cursor.seq = event.seq;
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
    const wakeInRequest = () => void asyncContext.runInAsyncScope(wake);
    const subscription = notifications.subscribe((lastSeq) => {
      if (lastSeq > cursor.seq) wakeInRequest();
    });
    wakeInRequest();
    return () => {
      clearTimeout(timer);
      subscription.unsubscribe();
    };
  });
}
