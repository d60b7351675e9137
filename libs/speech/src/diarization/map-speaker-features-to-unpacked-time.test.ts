import { describe, expect, it } from 'vitest';
import { PackedAudioTimeMap } from '../chunking/packed-audio-time-map.js';
import { SyntheticSoundBuilder } from '../vad/testing/synthetic-sound-builder.js';
import { decodeAcousticWindowsFromText } from './acoustic-window.js';
import { diarizeFeatures } from './diarize.js';
import { mapSpeakerFeaturesToUnpackedTime } from './map-speaker-features-to-unpacked-time.js';
import {
  decodeSpeakerEmbeddingsFromText,
  encodeSpeakerEmbeddingsAsText,
} from './neural/speaker-embedding.js';
import { extractEncodedAcousticFeatures } from './speaker-features.js';

const audio = new PackedAudioTimeMap([
  { audioStart: 0, start: 0, end: 3 },
  { audioStart: 3, start: 60, end: 63 },
]);

describe('mapSpeakerFeaturesToUnpackedTime', () => {
  it('measured windows are where they were spoken in the file', async () => {
    const sound = new SyntheticSoundBuilder(2)
      .silence(0.5)
      .babble(2, 8_000)
      .silence(1)
      .babble(2, 8_000)
      .silence(0.5);
    const speakerFeatures = await extractEncodedAcousticFeatures(
      sound.samples(),
      new AbortController().signal,
    );
    const [before, after] = [
      decodeAcousticWindowsFromText(speakerFeatures),
      decodeAcousticWindowsFromText(mapSpeakerFeaturesToUnpackedTime(speakerFeatures, audio)),
    ];
    expect(after).toHaveLength(before.length);
    for (const [index, { start, end, frames, pitch }] of after.entries()) {
      const offset = (before[index]?.start ?? 0) < 3 ? 0 : 57;
      expect(start).toBeCloseTo((before[index]?.start ?? 0) + offset, 6);
      expect(end).toBeCloseTo((before[index]?.end ?? 0) + offset, 6);
      expect([frames, pitch]).toEqual([before[index]?.frames, before[index]?.pitch]);
    }
  });

  it('turns that a model found are divided between the parts of the file', () => {
    const embedding = Float32Array.from([1, 0]);
    const speakerFeatures = encodeSpeakerEmbeddingsAsText({
      model: 'tiny',
      similarityThreshold: 0.5,
      speakers: [{ turns: [{ start: 2, end: 4 }], embedding }],
    });
    expect(
      decodeSpeakerEmbeddingsFromText(mapSpeakerFeaturesToUnpackedTime(speakerFeatures, audio)).speakers,
    ).toEqual([
      {
        turns: [
          { start: 2, end: 3 },
          { start: 60, end: 61 },
        ],
        embedding,
      },
    ]);
  });

  it('a turn that ends at the seam of two parts is not also in the part after it', async () => {
    // The sums of floats are less than the milliseconds of the turn.
    const parts = [
      { audioStart: 0, start: 0, end: 6 },
      { audioStart: 6, start: 30, end: 56.02 },
      { audioStart: 6 + 26.02, start: 90, end: 110 },
    ];
    const speakerFeatures = mapSpeakerFeaturesToUnpackedTime(
      encodeSpeakerEmbeddingsAsText({
        model: 'tiny',
        similarityThreshold: 0.5,
        speakers: [
          { turns: [{ start: 0.5, end: 32.02 }], embedding: Float32Array.from([1, 0]) },
          { turns: [{ start: 32.02, end: 50 }], embedding: Float32Array.from([0, 1]) },
        ],
      }),
      new PackedAudioTimeMap(parts),
    );
    const { signal } = new AbortController();
    expect(await diarizeFeatures([{ start: 0, speakerFeatures }], signal)).toEqual([
      { speaker: 0, start: 0.5, end: 6 },
      { speaker: 0, start: 30, end: 56.02 },
      { speaker: 1, start: 90, end: 107.98 },
    ]);
  });
});
