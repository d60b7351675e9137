import { expect, it } from 'vitest';
import { Turns } from './turns.js';

const never = new AbortController().signal;

it('lets so many in, and the others in their order', async () => {
  const turns = new Turns(2);
  const entered: string[] = [];
  const enter = (name: string, signal = never) =>
    turns.enter(signal).then(
      () => entered.push(name),
      (reason: unknown) => entered.push(`${name}: ${String(reason)}`),
    );
  const gone = new AbortController();
  const all = [enter('a'), enter('b'), enter('c'), enter('d', gone.signal), enter('e')];
  await all[1];
  expect(entered).toEqual(['a', 'b']);
  gone.abort('gone');
  await all[3];
  turns.leave();
  await all[2];
  turns.leave();
  await all[4];
  expect(entered).toEqual(['a', 'b', 'd: gone', 'c', 'e']);
});

it('gives back every turn, and none to one who left before', async () => {
  const turns = new Turns(1);
  await expect(turns.enter(AbortSignal.abort('before'))).rejects.toBe('before');
  await turns.enter(never);
  turns.leave();
  await turns.enter(never);
  const late = new AbortController();
  const waiting = turns.enter(late.signal);
  late.abort('late');
  await expect(waiting).rejects.toBe('late');
  turns.leave();
  await expect(turns.enter(never)).resolves.toBeUndefined();
});

it('are given back by work that is done and by work that fails', async () => {
  const turns = new Turns(1);
  const failing = turns.within(never, () => Promise.reject(new Error('failed')));
  const next = turns.within(never, async () => 'done');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('done');
  expect(await turns.within(never, async () => 'free again')).toBe('free again');
});
