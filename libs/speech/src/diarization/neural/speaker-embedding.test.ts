import { describe, expect, it } from 'vitest';
import { selectChunksOfCommonestVersion } from '../speaker-features.js';
import { SpeakerFeaturesDecodeError } from '../acoustic-window.js';
import {
  type ChunkSpeakerEmbeddings,
  decodeSpeakerEmbeddingsFromText,
  encodeSpeakerEmbeddingsAsText,
  toUnitVector,
} from './speaker-embedding.js';

const described: ChunkSpeakerEmbeddings = {
  model: 'some-voices_v1.0',
  similarityThreshold: 0.55,
  speakers: [
    {
      turns: [
        { start: 0.12, end: 3.457 },
        { start: 8, end: 31.25 },
      ],
      embedding: toUnitVector([3, -4, 0.5, 12]),
    },
    { turns: [{ start: 4, end: 4.1 }], embedding: null },
  ],
};

describe('speaker embedding codec', () => {
  it('decoding returns the encoded values within the quantization step', () => {
    const read = decodeSpeakerEmbeddingsFromText(encodeSpeakerEmbeddingsAsText(described));
    expect(read).toMatchObject({ model: 'some-voices_v1.0', similarityThreshold: 0.55 });
    expect(read.speakers.map(({ turns }) => turns)).toEqual(described.speakers.map(({ turns }) => turns));
    expect(read.speakers[1]?.embedding).toBeNull();
    for (const [at, value] of (described.speakers[0]?.embedding ?? []).entries())
      expect(read.speakers[0]?.embedding?.[at]).toBeCloseTo(value, 4);
  });

  it('the encoding is small', () => {
    const embedding = toUnitVector(Array.from({ length: 512 }, (_, at) => Math.sin(at)));
    const turns = [{ start: 0, end: 10 }];
    const chunk = { ...described, speakers: [1, 2, 3].map(() => ({ turns, embedding })) };
    expect(encodeSpeakerEmbeddingsAsText(chunk).length).toBeLessThan(4_500);
  });

  it('turns of less than a millisecond are left out, also of what earlier versions have stored', () => {
    const [speaker] = described.speakers;
    const turns = [{ start: 8, end: 8.0004 }, ...(speaker?.turns ?? [])];
    const encoded = encodeSpeakerEmbeddingsAsText({
      ...described,
      speakers: [{ turns, embedding: null }],
    });
    expect(encoded).toContain('"turns":[[120,3457],[8000,31250]]');
    const stored = encoded.replace('[[120,', '[[90000,90000],[120,');
    expect(decodeSpeakerEmbeddingsFromText(stored).speakers[0]?.turns).toEqual(speaker?.turns);
  });

  const whole = encodeSpeakerEmbeddingsAsText(described);
  it.each([
    ['nothing', ''],
    ['another version', whole.replace('n1', 'n9')],
    ['a piece', whole.slice(0, -7)],
    ['no voices', 'n1:model:{"alike":0.5}'],
    ['null', 'n1:model:null'],
    ['a turn that ends before it begins', whole.replace('[120,3457]', '[3457,120]')],
    ['a turn that is none', whole.replace('[120,3457]', '[120]')],
    ['an embedding that is no base64', whole.replace(/"print":"[^"]+"/, '"print":"***"')],
    ['an embedding of length 0', whole.replace(/"print":"[^"]+"/, '"print":"AAAA"')],
    ['embeddings of two sizes', whole.replace('"print":null', '"print":"AQABAA=="')],
  ])('decoding rejects %s', (_, text) => {
    expect(() => decodeSpeakerEmbeddingsFromText(text)).toThrow(SpeakerFeaturesDecodeError);
  });
});

describe('selectChunksOfCommonestVersion', () => {
  const by = (model: string) => ({
    start: 0,
    speakerFeatures: encodeSpeakerEmbeddingsAsText({ ...described, model }),
  });
  const classical = { start: 0, speakerFeatures: 'v2:AAAA' };

  it('selects the chunks with the most common feature version', () => {
    expect(selectChunksOfCommonestVersion([by('a'), classical, by('a'), by('b')])).toEqual([
      by('a'),
      by('a'),
    ]);
    expect(selectChunksOfCommonestVersion([by('a'), classical, classical])).toEqual([classical, classical]);
    expect(selectChunksOfCommonestVersion([])).toEqual([]);
  });
});
