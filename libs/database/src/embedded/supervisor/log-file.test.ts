import { appendFile, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limitLogFileSize } from './log-file.mjs';

it('limitLogFileSize empties a file that grows too large while a writer appends to it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'log-file-'));
  const file = join(folder, 'postgres.log');
  await appendFile(file, 'x'.repeat(11));
  const timer = await limitLogFileSize(file, { maxBytes: 10, intervalMs: 5 });
  const writer = await open(file, 'a');
  try {
    expect((await stat(file)).size).toBe(0);
    await writer.write('x'.repeat(11));
    await expect.poll(async () => (await stat(file)).size).toBe(0);
    await writer.write('kept');
    expect(await readFile(file, 'utf8')).toBe('kept');
  } finally {
    clearInterval(timer);
    await writer.close();
    await rm(folder, { recursive: true });
  }
});
