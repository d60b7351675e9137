import { describe, expect, it } from 'vitest';
import { describeError, settlesWithin, withTimeout } from './with-timeout.js';
import { QueueUnavailableError } from './queue-message.js';

const never = () => new Promise<never>(() => {});

describe('withTimeout', () => {
  it('returns a result that arrives in time', async () => {
    await expect(withTimeout(1_000, 'add', async () => 5)).resolves.toBe(5);
  });

  it('throws QueueUnavailableError with the call and the timeout when the timeout expires', async () => {
    await expect(withTimeout(5, 'add', never)).rejects.toThrow(
      new QueueUnavailableError('add: no answer in 5 ms'),
    );
  });

  it('throws QueueUnavailableError with the original error as cause', async () => {
    const cause = new Error('connection refused');
    const failing = withTimeout(1_000, 'add', () => Promise.reject(cause));
    await expect(failing).rejects.toMatchObject({
      name: 'QueueUnavailableError',
      message: 'add: connection refused',
      cause,
    });
  });

  it('rethrows a QueueUnavailableError unchanged', async () => {
    const inner = new QueueUnavailableError('ping: gone');
    await expect(withTimeout(1_000, 'add', () => Promise.reject(inner))).rejects.toBe(inner);
  });
});

describe('settlesWithin', () => {
  it('returns true for a settled promise, rejected or not, and false for a pending one', async () => {
    expect(await settlesWithin(Promise.resolve(1), 1_000)).toBe(true);
    expect(await settlesWithin(Promise.reject(new Error('x')), 1_000)).toBe(true);
    expect(await settlesWithin(never(), 5)).toBe(false);
  });
});

describe('describeError', () => {
  it('describes errors that have no message', () => {
    const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
    expect(describeError(new AggregateError([refused, new Error('timeout')]))).toBe('ECONNREFUSED; timeout');
    expect(describeError(new TypeError(''))).toBe('TypeError');
    expect(describeError('plain')).toBe('plain');
  });
});
