import type { Observable } from 'rxjs';

/** What becomes readable while a job runs. */
export interface ChunkSource<T> {
  /** Returns what is new since the last call, in order. */
  read: () => Promise<T[]>;
  /** Emits when there may be more. */
  progress: Observable<unknown>;
}

/**
 * Yields what the source has, and an empty list after each heartbeat without anything, until the promise is settled. It
 * reads at the start and after each progress; a failed read is repeated with the next heartbeat.
 */
export async function* readUntilSettled<T>(
  pending: Promise<unknown>,
  heartbeatMs: number,
  { read, progress }: ChunkSource<T>,
): AsyncGenerator<T[]> {
  const state = { isSettled: false };
  let mayHaveMore = true;
  let hasFailed = false;
  let wake = (): void => undefined;
  const settle = () => {
    state.isSettled = true;
    wake();
  };
  // One handler for the whole time: a promise keeps its handlers until it is settled.
  void pending.then(settle, settle);
  const subscription = progress.subscribe(() => {
    mayHaveMore = true;
    wake();
  });
  const waitUntilWoken = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const readNew = async (): Promise<T[]> => {
    mayHaveMore = hasFailed = false;
    return read().catch(() => {
      hasFailed = true;
      return [];
    });
  };
  try {
    let heartbeatAt = performance.now() + heartbeatMs;
    while (!state.isSettled) {
      const isHeartbeatDue = performance.now() >= heartbeatAt;
      const items = mayHaveMore || (hasFailed && isHeartbeatDue) ? await readNew() : [];
      if (items.length > 0 || isHeartbeatDue) {
        yield items;
        heartbeatAt = performance.now() + heartbeatMs;
      }
      if (!state.isSettled && !mayHaveMore)
        await waitUntilWoken(Math.max(0, heartbeatAt - performance.now()));
    }
  } finally {
    subscription.unsubscribe();
  }
}
