import { expect, it } from 'vitest';
import { WorkShutdown } from './work-lifecycle.js';

it('WorkShutdown stops all consumers of work at the same time and waits for all of them', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const taking = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const end = new WorkShutdown(
    { close: taking('stages') },
    { stop: taking('maintenance') },
    { stop: taking('notifications') },
  );
  let isOver = false;
  const ending = end.onModuleDestroy().then(() => (isOver = true));
  expect(begun).toEqual(['stages', 'maintenance', 'notifications']);
  const [last, ...others] = ends;
  for (const each of others) each();
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  last?.();
  await ending;
});
