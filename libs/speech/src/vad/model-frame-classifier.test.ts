import { describe, expect, it } from 'vitest';
import type { ClassifiedFrame } from './frame.js';
import { LevelMeter } from './level-meter.js';
import { ModelFrameClassifier, type SampleRange, type SpeechDetector } from './model-frame-classifier.js';
import { SyntheticSoundBuilder } from './testing/synthetic-sound-builder.js';

const { signal } = new AbortController();
const RATE = 16_000;

/** Finds the samples that are not silent, but only after a second of sound, as a model that has to find in. */
class Finder implements SpeechDetector {
  readonly asked: number[] = [];

  async detect(samples: Int16Array): Promise<SampleRange[]> {
    this.asked.push(samples.length);
    const start = samples.findIndex((sample, at) => sample !== 0 && (this.asked.length === 1 || at > RATE));
    const spans: SampleRange[] = [];
    for (let at = Math.max(0, start); at < samples.length; at += 1) {
      const last = spans.at(-1);
      if (samples[at] === 0 || start === -1) continue;
      if (last && at - last.end < 160) last.end = at + 1;
      else spans.push({ start: at, end: at + 1 });
    }
    return spans;
  }
}

/** Frames with speech, as spans of frames. */
async function classifyFrames(sound: Int16Array, blockSize: number) {
  const detector = new Finder();
  const classifier = new ModelFrameClassifier(detector, signal);
  const frames: ClassifiedFrame[] = [];
  for (let at = 0; at < sound.length; at += blockSize) {
    frames.push(...(await classifier.push(sound.subarray(at, at + blockSize))));
  }
  frames.push(...(await classifier.flush()));
  const edges = frames.flatMap(({ isSpeech: speech }, at) =>
    speech === (frames[at - 1]?.isSpeech ?? false) ? [] : [at],
  );
  return { frames, edges, asked: detector.asked };
}

describe('ModelFrameClassifier', () => {
  const sound = new SyntheticSoundBuilder()
    .silence(1)
    .tone(2, 8_000)
    .silence(15)
    .tone(5, 8_000)
    .silence(17)
    .tone(3, 8_000)
    .silence(30)
    .tone(1.01, 8_000)
    .samples();

  it.each([320, 7_001, 40_000, sound.length])(
    'detects speech across blocks when pushed %d samples at a time',
    async (size) => {
      const { frames, edges } = await classifyFrames(sound, size);
      expect(frames).toHaveLength(Math.ceil(sound.length / 320));
      expect(edges).toEqual([50, 150, 900, 1150, 2000, 2150, 3650, 3700]);
    },
  );

  it('every frame has its level', async () => {
    const meter = new LevelMeter();
    const levels = [...meter.push(sound), ...meter.flush()];
    const { frames } = await classifyFrames(sound, 9_000);
    expect(frames.map(({ levelDb }) => levelDb)).toEqual(levels);
  });

  it('the detector gets at most one block with its context per request', async () => {
    const { asked: requests } = await classifyFrames(sound, sound.length);
    expect(Math.max(...requests)).toBe(22.5 * RATE);
    expect(requests).toHaveLength(4);
  });

  it('no samples cause no detector request', async () => {
    const { frames, asked: requests } = await classifyFrames(new Int16Array(0), 1);
    expect([frames, requests]).toEqual([[], []]);
  });

  it('an error of the detector is passed on', async () => {
    const trouble = new Error('no model');
    const classifier = new ModelFrameClassifier({ detect: () => Promise.reject(trouble) }, signal);
    await classifier.push(new Int16Array(320));
    await expect(classifier.flush()).rejects.toBe(trouble);
  });
});
