import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  AudioTooLongError,
  UndecodableAudioError,
  decodeAudioToMono,
  SAMPLE_RATE,
  ToolTimeoutError,
} from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFfmpegArguments } from '../../libs/speech/src/decode/ffmpeg-arguments.js';
import { measurePeakMemoryIncrease } from '../e2e/support/measure-memory.js';
import { buildMisleadingFiles } from '../support/hostile/misleading-files.js';
import { generateDamagedFiles } from '../support/hostile/damaged-files.js';
import { PLAYLISTS, buildPlaylistTargets } from '../support/hostile/playlists.js';
import { makeSeeds, type Seed } from '../support/hostile/seeds.js';
import { Tripwire } from '../support/hostile/tripwire.js';
import { makeMedia } from '../support/make-media.js';
import { seededRandomFor } from './support/seed.js';

const run = promisify(execFile);
const MUTANTS = 1000;
const CONCURRENCY = 2;
const TEST_MS = 600_000;
const NEVER = new AbortController().signal;
/** Limits in seconds. No file contains more than a few seconds of sound, whatever its header declares. */
const LIMITS = { maxSeconds: 3600, cpuSeconds: 20, wallSeconds: 120 };

const MAX_INCREASE_BYTES = 200 * 2 ** 20;
/** At the sample rate of the decoder, so that resampling does not change the length. */
const CANARY = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=3:sample_rate=16000'];

const random = seededRandomFor('hostile-media');
let folder: string;
let seeds: Seed[];
let tripwire: Tripwire;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-hostile-'));
  seeds = await makeSeeds(folder, random);
  tripwire = await Tripwire.create(folder, await readFile(await makeMedia(folder, 'sound.wav', ...CANARY)));
  if (!tripwire.detectsReads)
    console.warn('Skipped the check that no other file is read: this file system does not record reads.');
}, TEST_MS);
afterAll(async () => {
  tripwire?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Decodes a file. @returns seconds of sound, or the name of an expected error */
async function decodeFile(name: string, bytes: Uint8Array): Promise<number | string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  let samples = 0;
  try {
    for await (const block of decodeAudioToMono(path, { signal: NEVER, limits: LIMITS }))
      samples += block.length;
    return samples / SAMPLE_RATE;
  } catch (error) {
    const isExpected = [UndecodableAudioError, AudioTooLongError, ToolTimeoutError].some(
      (kind) => error instanceof kind,
    );
    if (isExpected) return (error as Error).name;
    throw error;
  } finally {
    await rm(path);
  }
}

async function forEachConcurrently<T>(
  items: Iterable<T>,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const source = items[Symbol.iterator]();
  const processNext = async (): Promise<void> => {
    for (let step = source.next(); !step.done; step = source.next()) await work(step.value, next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, processNext));
}

async function expectNoAccess(): Promise<void> {
  expect(await tripwire.readAccesses()).toEqual({ read: false, connections: 0 });
}

describe('hostile media in the decoder', { timeout: TEST_MS }, () => {
  it(`each of ${MUTANTS} damaged files is decoded or rejected within its limits`, async () => {
    const ends = new Map<string, number>();
    const increase = await measurePeakMemoryIncrease(process.pid, () =>
      forEachConcurrently(
        generateDamagedFiles(seeds, MUTANTS, random),
        async ({ format, damage, bytes }, index) => {
          const outcome = await decodeFile(`${index}.${format}`, bytes).catch((error: unknown) => {
            throw new Error(`unexpected error for file ${index} (${format}, ${damage})`, { cause: error });
          });
          const end = typeof outcome === 'number' ? 'decoded' : outcome;
          ends.set(end, (ends.get(end) ?? 0) + 1);
        },
      ),
    );
    console.log(
      `${seeds.length} formats; ${JSON.stringify(Object.fromEntries(ends))}; memory rose by ${Math.round(increase / 2 ** 20)} MiB`,
    );
    expect([...ends.values()].reduce((sum, count) => sum + count, 0)).toBe(MUTANTS);
    // Files that are all rejected, or all decoded, would test only half of the decoder.
    expect(ends.get('decoded') ?? 0).toBeGreaterThan(MUTANTS / 10);
    expect(ends.get('UndecodableAudioError') ?? 0).toBeGreaterThan(MUTANTS / 10);
    expect(increase).toBeLessThan(MAX_INCREASE_BYTES);
    await expectNoAccess();
  });

  it('files with absurd rates, lengths, counts or contents yield no more audio than they contain', async () => {
    const outcomes: Record<string, number | string> = {};
    await forEachConcurrently(buildMisleadingFiles(seeds, random), async ({ claim, bytes }, index) => {
      outcomes[claim] = await decodeFile(`misleading-${index}.mp4`, bytes);
    });
    console.log(outcomes);
    for (const [claim, outcome] of Object.entries(outcomes))
      if (typeof outcome === 'number') expect(outcome, claim).toBeLessThan(60);
    expect(outcomes).toMatchObject({ 'WAV of 1 Hz': 'UndecodableAudioError', 'WAV of 4 GB': 3.125 });
  });

  it('time stamps that jump repeatedly add silence only up to the maximum length', async () => {
    const jumps = ['-f', 'lavfi', '-i', 'sine=d=20', '-af', "asetpts='PTS+floor(T)*1500/TB'"];
    const path = await makeMedia(folder, 'leaps.mkv', ...jumps);
    expect(await decodeFile('leaping.mkv', await readFile(path))).toBe('AudioTooLongError');
  });

  it('a decoder does not follow playlists under the name of any format, even without the sandbox', async () => {
    const sound = tripwire.bytes.subarray(1_000, 2_000);
    const targets = buildPlaylistTargets(tripwire.path, tripwire.port);
    const files = seeds.flatMap(({ format }, at) =>
      PLAYLISTS.map((kinds, index) => {
        const [write, target] = [kinds[at % kinds.length], targets[(at + index) % targets.length] ?? ''];
        return { name: `${index}-${at}.${format}`, text: write?.(target, tripwire.port) ?? '', target };
      }),
    );
    await forEachConcurrently(files, async ({ name, text, target }) => {
      const path = join(folder, name);
      await writeFile(path, text);
      const options = { timeout: 60_000, encoding: 'buffer' as const };
      const end = await run('ffmpeg', buildFfmpegArguments(path), options).catch((error: unknown) => error);
      const { stdout, killed } = end as { stdout: Buffer; killed?: boolean };
      // Formats without a signature decode any text as sound; they must not open the files that it names.
      expect(killed, `${name} to ${target} did not end`).not.toBe(true);
      expect(stdout.includes(sound), `${name} to ${target}`).toBe(false);
    });
    await expectNoAccess();
  });
});
