import { loadConfig } from '@app/config';
import { expect, it } from 'vitest';
import { computeShutdownGraceMs } from './shutdown-grace.js';

it('a program is killed only after it could drain its connections and then finish its work', () => {
  const { service } = loadConfig({ DRAIN_SECONDS: '60', SHUTDOWN_SECONDS: '30' });
  expect(computeShutdownGraceMs(service)).toBeGreaterThan(90_000);
});
