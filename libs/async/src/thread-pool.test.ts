import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ThreadPool, type ThreadPoolOptions, ThreadPoolBusyError } from './thread-pool.js';

/** Each message selects what the thread does. */
const SCRIPT = `
import { parentPort, threadId } from 'node:worker_threads';
parentPort.on('message', ({ result, fail, exit, hang, eat, wait }) => {
  if (exit) process.exit(1);
  if (hang) for (;;);
  if (eat) { const all = []; for (;;) all.push(Array.from({ length: 1000 }, () => ({}))); }
  if (wait) { Atomics.wait(wait, 0, 0); }
  parentPort.postMessage(fail ? { failure: fail } : { value: result ?? threadId });
});`;

function poolOf(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const script = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`);
  const pool = new ThreadPool({
    script,
    maxThreads: 2,
    maxQueuedTasks: 2,
    taskTimeoutMs: 20_000,
    idleTimeoutMs: 20_000,
    ...options,
  });
  onTestFinished(() => pool.close());
  return pool;
}
const runTask = (pool: ThreadPool, message: object) =>
  pool.run<string>(() => Promise.resolve({ message, transfer: [] }));

/** A task that runs until it is unblocked. */
function createBlockedTask() {
  const wait = new Int32Array(new SharedArrayBuffer(4));
  const unblock = () => {
    Atomics.store(wait, 0, 1);
    Atomics.notify(wait, 0);
  };
  return { message: { wait, result: 'held' }, unblock };
}

describe('ThreadPool', () => {
  it('runs tasks and returns their results and failures', async () => {
    const pool = poolOf();
    expect(await Promise.all(['a', 'b', 'c', 'd'].map((result) => runTask(pool, { result })))).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
    await expect(runTask(pool, { fail: 'no such font' })).rejects.toThrow('no such font');
    expect(await runTask(pool, { result: 'e' })).toBe('e');
  });

  it('loads tasks in order when a thread is free, and rejects tasks beyond the queue limit', async () => {
    const pool = poolOf({ maxThreads: 1 });
    const { message, unblock } = createBlockedTask();
    const first = runTask(pool, message);
    const loaded: string[] = [];
    const waiting = ['a', 'b'].map((result) =>
      pool.run<string>(() => {
        loaded.push(result);
        return Promise.resolve({ message: { result }, transfer: [] });
      }),
    );
    await expect(runTask(pool, { result: 'c' })).rejects.toThrow(ThreadPoolBusyError);
    expect(loaded).toEqual([]);
    unblock();
    expect(await Promise.all([first, ...waiting])).toEqual(['held', 'a', 'b']);
    expect(loaded).toEqual(['a', 'b']);
  });

  it('releases the slot of a task that fails to load', async () => {
    const pool = poolOf({ maxThreads: 1, maxQueuedTasks: 0 });
    await expect(pool.run(() => Promise.reject(new Error('no document')))).rejects.toThrow('no document');
    await expect(runTask(pool, { result: () => 'not to be handed over' })).rejects.toThrow(
      'could not be cloned',
    );
    expect(await runTask(pool, { result: 'next' })).toBe('next');
  });

  it('reuses an idle thread and terminates one after the idle timeout', async () => {
    const idlePool = poolOf({ maxThreads: 1 });
    expect(await runTask(idlePool, {})).toBe(await runTask(idlePool, {}));
    const short = poolOf({ maxThreads: 1, idleTimeoutMs: 1 });
    const first = await runTask(short, {});
    await vi.waitFor(async () => expect(await runTask(short, {})).not.toBe(first), { timeout: 10_000 });
  });

  it.each([
    ['ends', { exit: true }, {}, /ended under its task/],
    [
      'takes too long',
      { hang: true },
      { taskTimeoutMs: 3_000 } satisfies Partial<ThreadPoolOptions>,
      /took too long/,
    ],
    [
      'needs too much memory',
      { eat: true },
      { resourceLimits: { maxOldGenerationSizeMb: 30 } } satisfies Partial<ThreadPoolOptions>,
      /memory limit/,
    ],
  ])('a thread that %s fails its task and no other', async (_, message, options, reason) => {
    const pool = poolOf({ maxThreads: 1, ...options });
    const [failed, next] = await Promise.allSettled([
      runTask(pool, message),
      runTask(pool, { result: 'next' }),
    ]);
    expect(String((failed as PromiseRejectedResult).reason)).toMatch(reason);
    expect(next).toEqual({ status: 'fulfilled', value: 'next' });
  });
});
