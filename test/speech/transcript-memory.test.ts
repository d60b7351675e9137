import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { MALLOC_TRIM_ENV } from '../../scripts/lib/malloc-trim-env.mjs';

const PROGRAMS = new URL('../../bench/transcript/', import.meta.url);
const MAX_MEGABYTES = 400;

async function run(program: string, path: string): Promise<string> {
  const file = fileURLToPath(new URL(program, PROGRAMS));
  // The programs of the service use the same setting.
  const env = { ...process.env, ...MALLOC_TRIM_ENV };
  return (await promisify(execFile)(process.execPath, [file, path], { env })).stdout;
}

it('the formatter writes 100,000 words in all six formats in less than 400 MB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-formats-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'document.json');
  await run('make-document.mjs', path);
  const { formats, peakMB } = JSON.parse(await run('render-all.mjs', path)) as {
    formats: Record<string, object>;
    peakMB: number;
  };
  expect(Object.keys(formats).toSorted()).toEqual(['docx', 'json', 'pdf', 'srt', 'txt', 'vtt']);
  expect(peakMB).toBeLessThan(MAX_MEGABYTES);
});
