import { describe, expect, it } from 'vitest';
import { reasonOf, settledWithin, within } from './bounded.js';
import { QueueUnavailable } from './job-queue.js';

const never = () => new Promise<never>(() => {});

describe('within', () => {
  it('hands on an answer that is in time', async () => {
    await expect(within(1_000, 'add', async () => 5)).resolves.toBe(5);
  });

  it('turns lateness into QueueUnavailable that names the call and the bound', async () => {
    await expect(within(5, 'add', never)).rejects.toThrow(new QueueUnavailable('add: no answer in 5 ms'));
  });

  it('turns a failure into QueueUnavailable that keeps its cause', async () => {
    const cause = new Error('connection refused');
    const failing = within(1_000, 'add', () => Promise.reject(cause));
    await expect(failing).rejects.toMatchObject({
      name: 'QueueUnavailable',
      message: 'add: connection refused',
      cause,
    });
  });

  it('does not wrap twice', async () => {
    const inner = new QueueUnavailable('ping: gone');
    await expect(within(1_000, 'add', () => Promise.reject(inner))).rejects.toBe(inner);
  });
});

describe('settled', () => {
  it('is true for work that ended, well or not, and false for work that did not', async () => {
    expect(await settledWithin(Promise.resolve(1), 1_000)).toBe(true);
    expect(await settledWithin(Promise.reject(new Error('x')), 1_000)).toBe(true);
    expect(await settledWithin(never(), 5)).toBe(false);
  });
});

describe('reasonOf', () => {
  it('finds words for errors that have no message', () => {
    const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
    expect(reasonOf(new AggregateError([refused, new Error('timeout')]))).toBe('ECONNREFUSED; timeout');
    expect(reasonOf(new TypeError(''))).toBe('TypeError');
    expect(reasonOf('plain')).toBe('plain');
  });
});
