import { AsyncLocalStorage } from 'node:async_hooks';
import type { StoredJobEvent } from '@app/jobs';
import { firstValueFrom, Subject, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { observeJobEvents } from './observe-job-events.js';

const progress = (seq: number): StoredJobEvent => ({ seq, type: 'progress', data: {} });
const completed = (seq: number): StoredJobEvent => ({ seq, type: 'completed', data: {} });

function source(log: StoredJobEvent[]) {
  const notifications = new Subject<number>();
  return { notifications, read: async (after: number) => log.filter(({ seq }) => seq > after) };
}

describe('observeJobEvents', () => {
  it('replays the log and ends with the terminal event', async () => {
    const events = await firstValueFrom(
      observeJobEvents(source([progress(1), completed(2)]), { seq: 0 }).pipe(toArray()),
    );
    expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('starts after the given sequence number', async () => {
    const events = await firstValueFrom(
      observeJobEvents(source([progress(1), completed(2)]), { seq: 1 }).pipe(toArray()),
    );
    expect(events.map(({ seq }) => seq)).toEqual([2]);
  });

  it('emits events written during a read exactly once', async () => {
    const log: StoredJobEvent[] = [progress(1)];
    const notifications = new Subject<number>();
    const read = async (after: number) => {
      const now = log.filter(({ seq }) => seq > after);
      const next = log.length + 1;
      if (next <= 20) {
        log.push(next === 20 ? completed(20) : progress(next));
        notifications.next(Infinity);
        notifications.next(Infinity);
      }
      return now;
    };
    const events = await firstValueFrom(
      observeJobEvents({ read, notifications }, { seq: 0 }).pipe(toArray()),
    );
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('drops duplicate events of the log', async () => {
    const log = [progress(1), progress(2), progress(1), progress(2), completed(3)];
    const notifications = new Subject<number>();
    const events = await firstValueFrom(
      observeJobEvents({ read: async () => log, notifications }, { seq: 1 }).pipe(toArray()),
    );
    expect(events.map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it('retries a failed read', async () => {
    let failures = 1;
    const log = source([completed(1)]);
    const read = async (after: number) => {
      if (failures-- > 0) throw new Error('away');
      return log.read(after);
    };
    const events = await firstValueFrom(
      observeJobEvents({ read, notifications: log.notifications }, { seq: 0 }).pipe(toArray()),
    );
    expect(events).toHaveLength(1);
  });

  it('reads in the async context of its own request', async () => {
    const request = new AsyncLocalStorage<string>();
    const log = [progress(1)];
    const notifications = new Subject<number>();
    const contexts: unknown[] = [];
    const read = async (after: number) => {
      contexts.push(request.getStore());
      return log.filter(({ seq }) => seq > after);
    };
    const events = request.run('own', () =>
      firstValueFrom(observeJobEvents({ read, notifications }, { seq: 0 }).pipe(toArray())),
    );
    await new Promise((resolve) => setImmediate(resolve));
    log.push(completed(2));
    request.run('another', () => notifications.next(Infinity));
    await events;
    expect(contexts).toEqual(['own', 'own']);
  });

  it('leaves the events of a read that ended after it to the next stream of the cursor', async () => {
    const log = source([progress(1), completed(2)]);
    const cursor = { seq: 0 };
    observeJobEvents(log, cursor).subscribe().unsubscribe();
    await new Promise((resolve) => setImmediate(resolve));
    const events = await firstValueFrom(observeJobEvents(log, cursor).pipe(toArray()));
    expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('reads again only for numbers of events that it has not read', async () => {
    const log = [progress(1)];
    const notifications = new Subject<number>();
    const positions: number[] = [];
    const read = async (after: number) => {
      positions.push(after);
      return log.filter(({ seq }) => seq > after);
    };
    const events = firstValueFrom(observeJobEvents({ read, notifications }, { seq: 0 }).pipe(toArray()));
    await new Promise((resolve) => setImmediate(resolve));
    log.push(completed(2));
    for (const number of [1, 2]) notifications.next(number);
    expect((await events).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(positions).toEqual([0, 1]);
  });

  it('unsubscribes when the last subscriber leaves', () => {
    const log = source([]);
    observeJobEvents(log, { seq: 0 }).subscribe().unsubscribe();
    expect(log.notifications.observed).toBe(false);
  });
});
