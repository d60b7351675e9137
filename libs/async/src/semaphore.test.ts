import { expect, it } from 'vitest';
import { Semaphore } from './semaphore.js';

const never = new AbortController().signal;

it('Semaphore admits as many callers as permits and queues the others in order', async () => {
  const turns = new Semaphore(2);
  const entered: string[] = [];
  const enter = (name: string, signal = never) =>
    turns.acquire(signal).then(
      () => entered.push(name),
      (reason: unknown) => entered.push(`${name}: ${String(reason)}`),
    );
  const aborted = new AbortController();
  const all = [enter('a'), enter('b'), enter('c'), enter('d', aborted.signal), enter('e')];
  await all[1];
  expect(entered).toEqual(['a', 'b']);
  aborted.abort('gone');
  await all[3];
  turns.release();
  await all[2];
  turns.release();
  await all[4];
  expect(entered).toEqual(['a', 'b', 'd: gone', 'c', 'e']);
});

it('Semaphore returns every permit, and gives none to an aborted waiter', async () => {
  const turns = new Semaphore(1);
  await expect(turns.acquire(AbortSignal.abort('before'))).rejects.toBe('before');
  await turns.acquire(never);
  turns.release();
  await turns.acquire(never);
  const late = new AbortController();
  const waiting = turns.acquire(late.signal);
  late.abort('late');
  await expect(waiting).rejects.toBe('late');
  turns.release();
  await expect(turns.acquire(never)).resolves.toBeUndefined();
});

it('Semaphore.run releases its permit after success and failure', async () => {
  const turns = new Semaphore(1);
  const failing = turns.run(never, () => Promise.reject(new Error('failed')));
  const next = turns.run(never, async () => 'done');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('done');
  expect(await turns.run(never, async () => 'free again')).toBe('free again');
});
