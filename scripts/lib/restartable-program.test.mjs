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
  const program = createRestartableProgram(file, { killMs: 10_000 });
  program.restart();
  await vi.waitFor(async () => expect(await readLog()).toBe('start '), { timeout: 20_000 });
  await new Promise((resolve) => setImmediate(resolve));
  program.restart();
  await vi.waitFor(async () => expect(await readLog()).toBe('start end start '), { timeout: 20_000 });
  await program.stop();
  program.restart();
  expect(await readLog()).toMatch(/^start end start (end )?$/);
});

it('a program that does not react to SIGTERM, as one that a debugger has paused, is killed when it is stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'restartable-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'program.mjs');
  const ready = join(folder, 'ready');
  await writeFile(
    file,
    `import { writeFileSync } from 'node:fs';
     process.on('SIGTERM', () => undefined);
     process.on('disconnect', () => process.exit());
     setInterval(() => {}, 1000);
     writeFileSync(${JSON.stringify(ready)}, String(process.pid));`,
  );
  const program = createRestartableProgram(file, { killMs: 50 });
  program.restart();
  const pid = await vi.waitFor(
    async () => {
      const text = await readFile(ready, 'utf8');
      expect(text).toMatch(/^\d+$/);
      return Number(text);
    },
    { timeout: 20_000 },
  );
  await program.stop();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
