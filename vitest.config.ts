import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirstSequencer } from './test/support/longest-first-sequencer.js';

const libs = fileURLToPath(new URL('./libs/', import.meta.url));
const client = fileURLToPath(new URL('./packages/client/src/index.ts', import.meta.url));

/**
 * Three suites: `unit` beside the file, `integration` against real services, `e2e` over HTTP only. Eight more have
 * commands of their own: `s3` needs a store of 700 MB, `console` a browser, `clients` other runtimes, `containers` Podman,
 * `compose` a Docker daemon, `faults`, `payments` and `speech` take their time.
 */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@app\/([a-z]+)$/, replacement: `${libs}$1/src/index.ts` },
      { find: 'zephyr-client', replacement: client },
    ],
  },
  test: {
    sequence: { sequencer: LongestFirstSequencer },
    // Of those that say nothing else: in the usual second a busy machine may not even start a program.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          sequence: { groupOrder: 0 },
          // Left to itself vitest leaves one processor idle.
          maxWorkers: 2,
          // Some of them start programs: no file is slow, but the machine may be.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          include: [
            '{apps,libs,packages}/**/*.test.ts',
            'scripts/**/*.test.{ts,mjs}',
            'test/support/**/*.test.ts',
            'bench/**/*.test.mjs',
            'test/deploy/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          // Files share what they import: loading it for each of them costs as much as a third of the tests.
          isolate: false,
          sequence: { groupOrder: 1 },
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // They wait for servers to start and stop, and for leases to end. More workers are slower: each test then waits longer
          // for a processor, and what waits polls meanwhile.
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'speech',
          sequence: { groupOrder: 5 },
          include: ['test/speech/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 's3',
          sequence: { groupOrder: 2 },
          include: ['test/s3/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          // Files share what they import, as those of integration do: a process for each costs seconds of CPU time.
          isolate: false,
          sequence: { groupOrder: 3 },
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/support/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Two services fill two processors. With four workers the same tests needed a third more CPU time and a quarter more time.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'payments',
          isolate: false,
          sequence: { groupOrder: 6 },
          include: ['test/payments/**/*.test.ts'],
          globalSetup: ['test/e2e/support/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          isolate: false,
          sequence: { groupOrder: 7 },
          include: ['test/console/**/*.test.ts'],
          globalSetup: ['test/e2e/support/global-setup.ts', 'test/console/support/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          sequence: { groupOrder: 8 },
          include: ['test/clients/**/*.test.ts'],
          globalSetup: ['test/e2e/support/global-setup.ts', 'test/clients/support/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'containers',
          sequence: { groupOrder: 9 },
          include: ['test/containers/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'compose',
          sequence: { groupOrder: 10 },
          include: ['test/compose/**/*.test.ts'],
          globalSetup: ['test/compose/support/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          // All files use the same ports and names.
          maxWorkers: 1,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          sequence: { groupOrder: 4 },
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
