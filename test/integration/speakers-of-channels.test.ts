import type { JobOptions } from '@app/jobs';
import { assembleTranscript, type TranscriptDocument } from '@app/transcript';
import { describe, expect, it } from 'vitest';
import { diarizeChunks } from '../../apps/processor/src/aggregation/diarize-chunks.js';
import { encodeSpeakerEmbeddingsAsText } from '../../libs/speech/src/diarization/neural/speaker-embedding.js';
import { buildAssemblyInput, buildChunk, wordsFromLine } from '../../libs/transcript/src/testing/samples.js';

const { signal } = new AbortController();
const SECONDS = 20;

type Options = Partial<Pick<JobOptions, 'num_speakers' | 'min_speakers' | 'max_speakers' | 'redact'>>;

interface Voices {
  count: number;
  alike?: boolean;
}

/** A unit vector; the cosine of two voices is 0, or 0.5 if they are alike. */
function describeVoice(at: number, alike: boolean): Float32Array {
  const share = Math.SQRT1_2;
  return Float32Array.from({ length: 8 }, (_, dimension) =>
    dimension === at ? (alike ? share : 1) : dimension === 7 && alike ? share : 0,
  );
}

/** Voices that speak after each other for the same time; with `alike` one speaker, unless more are wanted. */
function describeVoices({ count, alike = false }: Voices): string {
  const length = SECONDS / count;
  return encodeSpeakerEmbeddingsAsText({
    model: 'test',
    similarityThreshold: 0.4,
    speakers: Array.from({ length: count }, (_, at) => ({
      turns: [{ start: at * length, end: (at + 1) * length }],
      embedding: describeVoice(at, alike),
    })),
  });
}

/** @param lines what is said on each channel @param voices those of each channel */
async function transcribe(lines: string[], voices: Voices[], options: Options): Promise<TranscriptDocument> {
  const chunks = lines.map((line, index) =>
    buildChunk(wordsFromLine(line), { index, channel: index + 1, end: SECONDS }),
  );
  const { turns, warnings } = await diarizeChunks(
    chunks.map(({ start, end, channel, words }, index) => ({
      ...{ start, end, channel: channel ?? null, speech: null, words: words.length, blockStart: null },
      speakerFeatures: describeVoices(voices[index] ?? { count: 1 }),
    })),
    { speaker_labels: true, ...options },
    signal,
  );
  return assembleTranscript(
    buildAssemblyInput(chunks, { turns, warnings, options: { speaker_labels: true, ...options } }),
  );
}

/** Channels of the speakers, in order of their labels. */
function listChannels({ speakers }: TranscriptDocument) {
  return speakers.map(({ channel }) => channel);
}

/** Words all the time. */
const TALK = Array.from({ length: 57 }, (_, at) => `word${at}`).join(' ');

describe('speakers of two channels', () => {
  it('words of both channels are redacted, and keep their channel and its speaker', async () => {
    const lines = [
      'my number is 555 123 4567 and my mail is ann@example.org thank you',
      '(1.0) call me at 555 987 6543 (0.8) or write to bob@example.org good bye',
    ];
    const document = await transcribe(lines, [{ count: 1 }, { count: 1 }], { redact: ['phone', 'email'] });
    const speakers = { 1: 'SPEAKER_1', 2: 'SPEAKER_2' };
    expect(document.speakers).toMatchObject([
      { id: 'SPEAKER_1', channel: 1 },
      { id: 'SPEAKER_2', channel: 2 },
    ]);
    const words = document.segments.flatMap((segment) => segment.words ?? []);
    for (const channel of [1, 2] as const) {
      const own = words.filter((word) => word.channel === channel);
      expect(new Set(own.map(({ speaker }) => speaker))).toEqual(new Set([speakers[channel]]));
      expect(own.flatMap(({ redacted }) => redacted ?? [])).toEqual(['phone', 'email']);
    }
    expect(JSON.stringify(document)).not.toMatch(/123|4567|987|6543|example/);
    expect(JSON.stringify(document.turns)).toMatch(/\[phone\].*\[phone\]/);
  });

  it.each<[string, number[], Options, number[]]>([
    ['each channel has all of its voices without limits', [2, 2], {}, [1, 1, 2, 2]],
    ['num_speakers 2 is one speaker for each channel', [2, 2], { num_speakers: 2 }, [1, 2]],
    ['num_speakers 1 is still one speaker for each channel', [2, 1], { num_speakers: 1 }, [1, 2]],
    ['num_speakers 3 divides the channel that has two voices', [1, 2], { num_speakers: 3 }, [1, 2, 2]],
    ['num_speakers 3 is never more than three', [3, 2], { num_speakers: 3 }, [1, 2, 2]],
    ['max_speakers 4 is never more than four', [3, 3], { max_speakers: 4 }, [1, 1, 2, 2]],
    ['num_speakers 3 is two where no voice can be divided', [1, 1], { num_speakers: 3 }, [1, 2]],
    ['max_speakers 9 changes nothing', [2, 3], { max_speakers: 9 }, [1, 1, 2, 2, 2]],
  ])('%s', async (_, counts, options, channels) => {
    const voices = counts.map((count) => ({ count }));
    const found = listChannels(await transcribe([TALK, TALK], voices, options));
    expect(found.toSorted((a, b) => Number(a) - Number(b))).toEqual(channels);
  });

  it('num_speakers 3 divides a channel whose voices are alike', async () => {
    const voices = [{ count: 1 }, { count: 2, alike: true }];
    expect(listChannels(await transcribe([TALK, TALK], voices, {}))).toEqual([1, 2]);
    expect(listChannels(await transcribe([TALK, TALK], voices, { num_speakers: 3 }))).toEqual([1, 2, 2]);
  });
});
