import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SuiteTestRunner } from './test-runner.mjs';

/** @param {string} source of the host process, which runs already */
async function createRunner(source) {
  const folder = await mkdtemp(join(tmpdir(), 'test-runner-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const host = join(folder, 'host.mjs');
  await writeFile(host, source);
  const runner = new SuiteTestRunner(folder, 'unit');
  runner.host = fork(host);
  return runner;
}

it('a runner whose host has exited stops at once', async () => {
  const runner = await createRunner('process.exit(1);');
  await once(runner.host, 'exit');
  await expect(runner.stop()).resolves.toBeUndefined();
});

it('a runner stops after the exit of its host', async () => {
  const runner = await createRunner(
    `process.once('disconnect', () => process.exit()); process.send('ready');`,
  );
  await once(runner.host, 'message');
  await runner.stop();
  expect(runner.host.exitCode).toBe(0);
  await runner.stop();
});
