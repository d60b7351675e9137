import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  EngineUnavailableError,
  PocketsphinxAligner,
  readWav,
  SAMPLE_RATE,
  type AlignmentSegment,
  type AlignedWord,
} from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

const run = promisify(execFile);
const neverAborted = new AbortController().signal;
/** Less than the duration of a short word. */
const MAX_ERROR_SECONDS = 0.15;

interface SpokenWord extends Pick<AlignedWord, 'start' | 'end'> {
  written: string;
}

/** Each word as an engine writes it, and the text that the voice reads. */
const WORDS = [
  ['Mr.', 'mister'],
  ['Dashwood', 'dashwood'],
  ['was', 'was'],
  ['ill-disposed,', 'ill disposed'],
  ['42', 'forty two'],
  ['KPMG', 'K P M G'],
  ['Kubernetes', 'koobernetties'],
  ['can’t', "can't"],
  ['1,200', 'one thousand two hundred'],
  ['percent.', 'percent'],
] as const;

let folder: string;
let samples: Int16Array;
const words: SpokenWord[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-aligner-'));
  const clips: Int16Array[] = [];
  let at = 0;
  for (const [index, [written, expected]] of WORDS.entries()) {
    const path = join(folder, `${index}.wav`);
    await run('flite', ['-voice', 'slt', '-t', expected, '-o', path]);
    const clip = await readWav(path, neverAborted);
    const loud = (sample: number) => Math.abs(sample) > 600;
    words.push({
      written,
      start: at + clip.findIndex(loud) / SAMPLE_RATE,
      end: at + clip.findLastIndex(loud) / SAMPLE_RATE,
    });
    clips.push(clip);
    at += clip.length / SAMPLE_RATE;
  }
  samples = Int16Array.from(clips.flatMap((clip) => [...clip]));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function createSegment(from: number, to: number) {
  const expected = words.slice(from, to);
  const start = from === 0 ? 0 : (words[from - 1]?.end ?? 0);
  const end = words[to]?.start ?? samples.length / SAMPLE_RATE;
  return { start, end, words: expected.map(({ written }) => written) };
}

describe('PocketsphinxAligner', () => {
  const aligner = new PocketsphinxAligner();
  const align = async (segments: AlignmentSegment[], terms: string[] = []) =>
    (await aligner.align({ samples, segments, terms, signal: neverAborted })).segments.map(
      ({ found }) => found,
    );

  afterAll(() => aligner.close());

  it('the time of each word is found, also of numbers, abbreviations and names', async () => {
    const [times] = await align([createSegment(0, words.length)]);
    expect(times).toHaveLength(words.length);
    times?.forEach((time, index) => {
      const { written, start, end } = words[index] ?? { written: '', start: 0, end: 0 };
      expect(Math.abs(time.start - start), `start of ${written}`).toBeLessThan(MAX_ERROR_SECONDS);
      expect(Math.abs(time.end - end), `end of ${written}`).toBeLessThan(MAX_ERROR_SECONDS);
    });
  });

  it('words are searched for in their own segment only', async () => {
    const segments = [
      createSegment(0, 3),
      { ...createSegment(3, 4), words: [] },
      createSegment(4, 6),
      createSegment(6, 10),
    ];
    const times = await align(segments);
    expect(times.map((found) => found?.length)).toEqual([3, 0, 2, 4]);
    const expected = [...words.slice(0, 3), ...words.slice(4)];
    times
      .flatMap((found) => found ?? [])
      .forEach((time, index) =>
        expect(Math.abs(time.start - (expected[index]?.start ?? 0))).toBeLessThan(MAX_ERROR_SECONDS),
      );
  });

  it('words keep their order and segment when the text is not spoken', async () => {
    const [times] = await align([{ start: 0, end: 2, words: ['Lorem', '—', 'ipsum', '風', 'x'] }]);
    expect(times).toHaveLength(5);
    let last = 0;
    for (const { start, end } of times ?? []) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThanOrEqual(start);
      expect(end).toBeLessThanOrEqual(2.05);
      last = start;
    }
  });

  it('words that do not fit into the segment get no times', async () => {
    const text = Array.from({ length: 60 }, () => 'responsibility');
    expect(await align([{ start: 0, end: 0.5, words: text }])).toEqual([null]);
  });

  it('a term replaces words that sound like it, and other words stay unchanged', async () => {
    const recognized = ['Mister', 'dash', 'wood,', 'was', 'ill', 'disposed.'];
    const terms = ['Dashwood', 'Wolverhampton', 'Quantivo'];
    const [found] = await align([{ ...createSegment(0, 4), words: recognized }], terms);
    expect(found?.map(({ text, segmentWordIndex: expected }) => [text, expected])).toEqual([
      ['Mister', 0],
      ['Dashwood,', null],
      ['was', 3],
      ['ill', 4],
      ['disposed.', 5],
    ]);
    expect(Math.abs((found?.[1]?.start ?? 0) - (words[1]?.start ?? 0))).toBeLessThan(MAX_ERROR_SECONDS);
  });

  it('missing programs are named, an abort ends the work, and no files are left', async () => {
    const own = await mkdtemp(join(folder, 'temporary-'));
    vi.stubEnv('TMPDIR', own);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await align([createSegment(0, 1)])).toHaveLength(1);
    const alignerWithoutPrograms = new PocketsphinxAligner(folder);
    await expect(
      alignerWithoutPrograms.align({
        samples,
        segments: [createSegment(0, 1)],
        terms: [],
        signal: neverAborted,
      }),
    ).rejects.toBeInstanceOf(EngineUnavailableError);
    const reason = new Error('no longer wanted');
    await expect(
      aligner.align({
        samples,
        segments: [createSegment(0, 9)],
        terms: [],
        signal: AbortSignal.abort(reason),
      }),
    ).rejects.toBe(reason);
    expect(await readdir(own)).toEqual([]);
  });
});
