import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createRestartableProgram } from './restartable-program.mjs';

it('a program is restarted after its exit, but not after it was stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'restartable-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = join(folder, 'log');
  await appendFile(log, '');
  const file = join(folder, 'program.mjs');
  await writeFile(
    file,
    `import { appendFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(log)}, 'start ');
     process.on('SIGTERM', () => { appendFileSync(${JSON.stringify(log)}, 'end '); process.exit(0); });
     setInterval(() => {}, 1000);`,
  );
  const readLog = () => readFile(log, 'utf8');
  const program = createRestartableProgram(file);
  program.restart();
  await vi.waitFor(async () => expect(await readLog()).toBe('start '), { timeout: 20_000 });
  await new Promise((resolve) => setImmediate(resolve));
  program.restart();
  await vi.waitFor(async () => expect(await readLog()).toBe('start end start '), { timeout: 20_000 });
  await program.stop();
  program.restart();
  expect(await readLog()).toMatch(/^start end start (end )?$/);
});
