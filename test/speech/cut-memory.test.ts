import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { chunkAudioToSink } from '@app/speech';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const MEBIBYTE = 1024 * 1024;
/** Bursts of noise with pauses, over a faint hiss, in the rhythm of speech. */
const SPEECH_LIKE_NOISE = '0.3*random(0)*max(0\\,sin(2*PI*t))*lt(mod(t\\,7)\\,5.5)+0.001*random(1)';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-memory-'));
  await run('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    `aevalsrc=${SPEECH_LIKE_NOISE}:s=16000:d=300`,
    pathOf('part.wav'),
  ]);
  await run('ffmpeg', [
    '-v',
    'error',
    '-stream_loop',
    '11',
    '-i',
    pathOf('part.wav'),
    '-c',
    'copy',
    pathOf('hour.wav'),
  ]);
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Resident memory depends on when garbage is collected; this is what is still in use. @returns bytes */
function measureUsedMemory(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function pathOf(name: string): string {
  return join(folder, name);
}

/** Splits a file without storing its chunks. @returns the peak of the used memory, in bytes */
async function chunkAndMeasure(name: string) {
  let peak = 0;
  let covered = 0;
  let indexes = 0;
  const summary = await chunkAudioToSink(
    { path: pathOf(name), signal: new AbortController().signal },
    async (chunk) => {
      expect(chunk.index).toBe(indexes);
      expect(chunk.wav.length).toBe(44 + Math.round((chunk.end - chunk.start) * 16_000) * 2);
      indexes += 1;
      covered += chunk.end - chunk.start;
      if (chunk.index % 4 === 0) peak = Math.max(peak, measureUsedMemory());
    },
  );
  return { ...summary, covered, peak };
}

it(
  'chunkAudioToSink needs no more memory for an hour than for five minutes',
  { timeout: 180_000 },
  async () => {
    const short = await chunkAndMeasure('part.wav');
    const long = await chunkAndMeasure('hour.wav');
    const growth = (long.peak - short.peak) / MEBIBYTE;
    console.log(
      `Used memory grew by ${growth.toFixed(1)} MiB from 5 minutes to 1 hour (${long.chunks} chunks).`,
    );
    expect(long.duration).toBeCloseTo(3600, 1);
    expect(long.chunks).toBeGreaterThan(70);
    expect(long.covered).toBeGreaterThan(0.9 * long.speechSeconds);
    // The samples of an hour take 110 MiB.
    expect(growth).toBeLessThan(10);
  },
);
