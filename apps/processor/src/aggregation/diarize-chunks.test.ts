import type { ChunkOutput } from '@app/jobs';
import { extractEncodedAcousticFeatures } from '@app/speech';
import { assembleTranscript, type TranscriptDocument } from '@app/transcript';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { diarizeChunks } from './diarize-chunks.js';

const neverAborted = new AbortController().signal;
const WANTED = { speaker_labels: true, word_timestamps: true, nltk: false };

afterEach(() => vi.restoreAllMocks());

describe('diarizeChunks', () => {
  it('labels the segments of a voice with SPEAKER_1', async () => {
    const document = await transcript([chunk(0, await someVoice())], WANTED);
    expect(document.segments.map(({ speaker }) => speaker)).toEqual(['SPEAKER_1']);
    expect(document.warnings).toEqual([]);
  });

  it.each([
    ['garbage', 'garbage'],
    ['damaged', 'v2:AAAA'],
    ['missing', null],
  ])('returns the transcript with a warning when the stored voice description is %s', async (_, voices) => {
    const document = await transcript([chunk(0, voices)], WANTED);
    expect(document.text).toContain('hello');
    expect(document.segments.map(({ speaker }) => speaker)).toEqual([null]);
    expect(document.warnings.map(({ code }) => code)).toEqual(['speakers_unavailable']);
  });

  it('diarizes the other chunks and warns when one chunk has no voice description', async () => {
    const document = await transcript([chunk(0, await someVoice()), chunk(1, null)], WANTED);
    expect(document.segments.map(({ speaker }) => speaker)).toEqual(['SPEAKER_1', null]);
    expect(document.warnings).toMatchObject([
      { code: 'speakers_unavailable', message: expect.stringContaining('30 seconds') as string },
    ]);
  });

  it('the chunk that ends a block has the voices of all its chunks', async () => {
    const voices = await someVoice();
    const [first, last] = [chunk(0, null), chunk(1, voices)].map((each) => ({ ...each, blockStart: 0 }));
    const document = await transcript(
      [first, last, chunk(2, null)].flatMap((each) => each ?? []),
      WANTED,
    );
    expect(document.segments.map(({ speaker }) => speaker)).toEqual(['SPEAKER_1', null, null]);
    expect(document.warnings).toMatchObject([
      { code: 'speakers_unavailable', message: expect.stringContaining('30 seconds') as string },
    ]);
  });

  it('channels have speakers of their own, also where their voices could not be described', async () => {
    const left = { ...chunk(0, await someVoice()), channel: 1 };
    const right = { ...chunk(0, null), index: 1, channel: 2 };
    const document = await transcript([left, right], WANTED);
    expect(document.speakers).toMatchObject([
      { id: 'SPEAKER_1', channel: 1 },
      { id: 'SPEAKER_2', channel: 2 },
    ]);
    expect(document.segments.map(({ speaker, channel }) => [speaker, channel])).toEqual([
      ['SPEAKER_1', 1],
      ['SPEAKER_2', 2],
    ]);
    expect(document.warnings).toMatchObject([
      { code: 'speakers_unavailable', message: expect.stringContaining('30 seconds') as string },
    ]);
  });

  it('warns of a part of a channel without voices, whose other parts have speakers', async () => {
    const chunks = [
      { ...chunk(0, await someVoice()), channel: 1 },
      { ...chunk(1, null), channel: 1 },
      { ...chunk(0, await someVoice()), index: 2, channel: 2 },
    ];
    const document = await transcript(chunks, WANTED);
    expect(document.speakers).toMatchObject([{ channel: 1 }, { channel: 2 }]);
    expect(document.warnings).toMatchObject([
      { code: 'speakers_unavailable', message: expect.stringContaining('30 seconds') as string },
    ]);
  });

  it('diarizes the other blocks of a recording or channel when one is damaged, and warns', async () => {
    const voices = await someVoice();
    for (const channel of [undefined, 1]) {
      const chunks = [chunk(0, voices), chunk(1, 'v2:AAAA'), chunk(2, voices)];
      const document = await transcript(
        chunks.map((each) => ({ ...each, ...(channel && { channel }) })),
        WANTED,
      );
      expect(document.segments.map(({ speaker }) => speaker)).toEqual(['SPEAKER_1', null, 'SPEAKER_1']);
      expect(document.warnings).toMatchObject([
        { code: 'speakers_unavailable', message: expect.stringContaining('30 seconds') as string },
      ]);
    }
  });

  it('warns of a channel that has one speaker because its diarization failed', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => {
      throw new RangeError('no timer');
    });
    const chunks = [
      { ...chunk(0, await someVoice()), channel: 1 },
      { ...chunk(1, await someVoice()), channel: 1 },
      { ...chunk(0, await someVoice()), index: 2, channel: 2 },
    ];
    const document = await transcript(chunks, WANTED);
    expect(document.speakers).toMatchObject([{ channel: 1 }, { channel: 2 }]);
    expect(document.warnings).toMatchObject([
      { code: 'speakers_unavailable', message: expect.stringContaining('60 seconds') as string },
    ]);
  });

  it('warns of a part of a channel without voices, although the channel could not be divided', async () => {
    const chunks = [
      { ...chunk(0, await someVoice()), channel: 1 },
      { ...chunk(1, null), channel: 1 },
      { ...chunk(0, await someVoice()), index: 2, channel: 2 },
    ];
    const fail = () => {
      throw new RangeError('no timer');
    };
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    timeout.mockReturnValueOnce(neverAborted).mockReturnValueOnce(neverAborted).mockImplementation(fail);
    const document = await transcript(chunks, { ...WANTED, min_speakers: 3 });
    expect(timeout).toHaveBeenCalledTimes(4);
    expect(document.speakers).toMatchObject([{ channel: 1 }, { channel: 2 }]);
    expect(document.warnings).toMatchObject([
      { code: 'speakers_unavailable', message: expect.stringContaining('30 seconds') as string },
    ]);
  });

  it('rejects with the abort reason when the stage is aborted', async () => {
    const described = [
      {
        start: 0,
        end: 30,
        channel: null,
        speech: null,
        words: 1,
        speakerFeatures: 'garbage',
        blockStart: null,
      },
    ];
    const stop = AbortSignal.abort(new RangeError('stopped'));
    await expect(diarizeChunks(described, WANTED, stop)).rejects.toThrow('stopped');
  });

  it('assigns no speakers and adds no warning when speaker labels are not requested', async () => {
    const document = await transcript([chunk(0, 'garbage')], { ...WANTED, speaker_labels: false });
    expect(document.segments.map(({ speaker }) => speaker)).toEqual([null]);
    expect(document.warnings).toEqual([]);
  });
});

type Chunk = ChunkOutput & {
  index: number;
  start: number;
  end: number;
  channel?: number;
  blockStart?: number;
};

function chunk(index: number, voices: string | null): Chunk {
  const words = [{ text: 'hello', start: 0.2, end: 0.6, confidence: null, language: null }];
  return { index, start: index * 30, end: index * 30 + 30, language: 'en', words, voices };
}

/** Two seconds of a vowel that swells and fades. */
async function someVoice(): Promise<string> {
  const samples = Int16Array.from({ length: 32_000 }, (_, at) => {
    const swell = Math.sin((Math.PI * at) / 4_000) ** 2;
    return 6_000 * swell * Math.sign(Math.sin((2 * Math.PI * 130 * at) / 16_000));
  });
  return extractEncodedAcousticFeatures(samples, new AbortController().signal);
}

async function transcript(
  chunks: Chunk[],
  options: typeof WANTED & { min_speakers?: number },
): Promise<TranscriptDocument> {
  return assembleTranscript({
    jobId: '0198c0de-0000-7000-8000-000000000000',
    createdAt: '2026-01-01T00:00:00Z',
    model: 'zephyr',
    engine: { name: 'test', model: null, version: null },
    duration: 60,
    punctuated: false,
    credits: null,
    options,
    chunks,
    ...(await diarizeChunks(
      chunks.map(({ start, end, channel, words, voices, blockStart }) => ({
        start,
        end,
        channel: channel ?? null,
        speech: null,
        words: words.length,
        speakerFeatures: voices ?? null,
        blockStart: blockStart ?? null,
      })),
      options,
      neverAborted,
    )),
  });
}
