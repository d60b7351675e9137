import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.js';

/** Tasks that end when they are told to. */
function createTasks() {
  const ends = new Map<string, () => void>();
  const run = (name: string) => () => new Promise<void>((resolve) => ends.set(name, resolve));
  return { run, end: (name: string) => ends.get(name)?.(), started: () => [...ends.keys()] };
}

describe('a semaphore', () => {
  it('runs so many tasks at a time, and the others in order, also after an error', async () => {
    const semaphore = new Semaphore(2);
    const { run, end, started } = createTasks();
    const failed = semaphore.run(() => Promise.reject(new Error('no')));
    const all = ['a', 'b', 'c', 'd'].map((name) => semaphore.run(run(name)));
    await expect(failed).rejects.toThrow('no');
    await expect.poll(started).toEqual(['a', 'b']);
    end('b');
    await expect.poll(started).toEqual(['a', 'b', 'c']);
    end('a');
    await expect.poll(started).toEqual(['a', 'b', 'c', 'd']);
    end('c');
    end('d');
    await Promise.all(all);
  });

  it('gives no permit to a task whose signal aborts while it waits', async () => {
    const semaphore = new Semaphore(1);
    const { run, end, started } = createTasks();
    const first = semaphore.run(run('first'));
    const abort = new AbortController();
    const second = semaphore.run(run('second'), abort.signal);
    const third = semaphore.run(run('third'));
    abort.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    end('first');
    await expect.poll(started).toEqual(['first', 'third']);
    end('third');
    await Promise.all([first, third]);
    await expect(semaphore.run(run('late'), abort.signal)).rejects.toThrow('enough');
  });
});
