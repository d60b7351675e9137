import { expect, it } from 'vitest';
import { computeShutdownGraceMs as computeOfConfig } from '../../apps/admin/src/start/shutdown-grace.js';
import { loadConfig } from '../../libs/config/src/load-config.js';
import { computeShutdownGraceMs } from './shutdown-grace.mjs';

it.each([
  {},
  { SHUTDOWN_SECONDS: '3' },
  { SHUTDOWN_SECONDS: '60', DRAIN_SECONDS: '10' },
  { SHUTDOWN_SECONDS: '', DRAIN_SECONDS: '' },
  { DRAIN_SECONDS: '0' },
])('programs of a checkout get as long to end as those of npm start: %j', (env) => {
  expect(computeShutdownGraceMs(env)).toBe(computeOfConfig(loadConfig(env).service));
});
