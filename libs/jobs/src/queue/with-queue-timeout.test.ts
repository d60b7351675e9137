import { describe, expect, it } from 'vitest';
import { withQueueTimeout } from './with-queue-timeout.js';
import { QueueUnavailableError } from './queue-message.js';

const createPendingPromise = () => new Promise<never>(() => {});

describe('withQueueTimeout', () => {
  it('returns a result that arrives in time', async () => {
    await expect(withQueueTimeout(1_000, 'add', async () => 5)).resolves.toBe(5);
  });

  it('throws QueueUnavailableError with the call and the timeout when the timeout expires', async () => {
    await expect(withQueueTimeout(5, 'add', createPendingPromise)).rejects.toThrow(
      new QueueUnavailableError('add: no response in 5 ms'),
    );
  });

  it('throws QueueUnavailableError with the original error as cause', async () => {
    const cause = new Error('connection refused');
    const failing = withQueueTimeout(1_000, 'add', () => Promise.reject(cause));
    await expect(failing).rejects.toMatchObject({
      name: 'QueueUnavailableError',
      message: 'add: connection refused',
      cause,
    });
  });

  it('rethrows a QueueUnavailableError unchanged', async () => {
    const inner = new QueueUnavailableError('ping: gone');
    await expect(withQueueTimeout(1_000, 'add', () => Promise.reject(inner))).rejects.toBe(inner);
  });
});
