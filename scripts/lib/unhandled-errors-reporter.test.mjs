import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCaptured } from './command.mjs';
import { ROOT } from './root.mjs';

const TEST = "import { it } from 'vitest';\n";

let folder;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-reporter-'));
  await writeFile(join(folder, 'vitest.config.mjs'), 'export default {};');
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** @param {Record<string, string>} files @returns {Promise<object[]>} what the reporter wrote */
async function runTests(files) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), TEST + text);
  const output = join(folder, 'errors.json');
  const reporter = join(ROOT, 'scripts', 'lib', 'unhandled-errors-reporter.mjs');
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const parameters = [vitest, 'run', '--root', folder, `--reporter=${reporter}`];
  const env = { ...process.env, UNHANDLED_ERRORS_FILE: output };
  expect((await runCaptured(process.execPath, parameters, { env, cwd: folder })).code).toBe(1);
  return JSON.parse(await readFile(output, 'utf8'));
}

it('the reporter names the file that ran when a worker of vitest was killed, and the reason', async () => {
  const errors = await runTests({
    'killed.test.mjs': "it('ends its process', () => process.kill(process.pid, 'SIGKILL'));",
    'passed.test.mjs': "it('passes', () => {});",
  });
  expect(errors).toEqual([
    expect.objectContaining({
      file: join(folder, 'killed.test.mjs'),
      message: 'Error: [vitest-pool]: Worker forks emitted error. Worker exited unexpectedly.',
    }),
  ]);
});

it('the reporter names the file whose tests ran when an error was not caught', async () => {
  const errors = await runTests({
    'late.test.mjs': "it('does not wait', () => { Promise.reject(new Error('late')); });",
  });
  expect(errors).toEqual([
    expect.objectContaining({ file: join(folder, 'late.test.mjs'), message: 'Error: late' }),
  ]);
});
