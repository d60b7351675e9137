import { expect, it } from 'vitest';
import { WorkShutdown } from './work-lifecycle.js';

it('WorkShutdown stops all consumers of work at the same time and waits for all of them', async () => {
  const stopping: string[] = [];
  const resolvers: (() => void)[] = [];
  const createStop = (name: string) => () => {
    stopping.push(name);
    return new Promise<void>((resolve) => resolvers.push(resolve));
  };
  const shutdown = new WorkShutdown(
    { close: createStop('stages') },
    { stop: createStop('maintenance') },
    { stop: createStop('notifications') },
  );
  let hasEnded = false;
  const ended = shutdown.onModuleDestroy().then(() => (hasEnded = true));
  expect(stopping).toEqual(['stages', 'maintenance', 'notifications']);
  const [last, ...others] = resolvers;
  for (const resolve of others) resolve();
  await new Promise(setImmediate);
  expect(hasEnded).toBe(false);
  last?.();
  await ended;
});
