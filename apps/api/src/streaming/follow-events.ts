import { AsyncLocalStorage } from 'node:async_hooks';
import { isTerminalEvent, type StoredEvent } from '@app/jobs';
import { Observable } from 'rxjs';

const RETRY_MS = 1_000;

export interface EventSource {
  /** The events after a number, in order. */
  read(afterSeq: number): Promise<StoredEvent[]>;
  /** Emits when there may be new ones. */
  wakeUps: Observable<void>;
}

/**
 * Every event of a job after a number, in order, each once, until the terminal one. Watches first and reads after,
 * so that nothing falls between; a read that fails is tried again. Whoever wakes it, it reads in the async context of
 * its request.
 */
export function followEvents({ read, wakeUps }: EventSource, afterSeq: number): Observable<StoredEvent> {
  return new Observable((stream) => {
    let last = afterSeq;
    let reading = false;
    let again = false;
    let timer: NodeJS.Timeout | undefined;

    const readNewEvents = async () => {
      for (const event of await read(last)) {
        if (event.seq <= last) continue;
        last = event.seq;
        stream.next(event);
        if (isTerminalEvent(event.type)) stream.complete();
      }
    };
    const wake = async () => {
      again = true;
      if (reading) return;
      reading = true;
      try {
        while (again && !stream.closed) {
          again = false;
          await readNewEvents();
        }
      } catch {
        timer = setTimeout(() => void wake(), RETRY_MS);
      } finally {
        reading = false;
      }
    };
    const subscription = wakeUps.subscribe(AsyncLocalStorage.bind(() => void wake()));
    void wake();
    return () => {
      clearTimeout(timer);
      subscription.unsubscribe();
    };
  });
}
