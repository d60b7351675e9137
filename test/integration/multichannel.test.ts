import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AudioChunk,
  chunkAudioToSink,
  decodeWav,
  type MultichannelMode,
  SAMPLE_RATE,
} from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialogue, type Dialogue } from '../support/material/index.js';
import { makeMedia } from '../support/make-media.js';
import { makeStereoDialogue, writeStereo } from '../support/stereo.js';

const { signal } = new AbortController();
const READER = fileURLToPath(new URL('../../../shared/audio/librivox', import.meta.url));
const CLIPS = ['0870', '0880', '0890', '0920', '0930'];
const hasReader = existsSync(READER);
if (!hasReader) console.warn('Skipped the channels of a human reader: ../shared/audio/librivox is missing.');

let folder: string;
let spoken: Dialogue;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-channels-'));
  spoken = await dialogue({ seconds: 60, voices: 2, seed: 12 });
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function chunk(path: string, multichannel: MultichannelMode) {
  const chunks: AudioChunk[] = [];
  const summary = await chunkAudioToSink(
    { path, multichannel, signal },
    async (each) => void chunks.push(each),
  );
  return { chunks, summary };
}

/** Seconds of the turns of a speaker in which speech was detected on a channel. */
function detectedSeconds(chunks: readonly AudioChunk[], channel: number, speaker: string): number {
  let seconds = 0;
  for (const { start, speech, ...each } of chunks) {
    if (each.channel !== channel) continue;
    for (const turn of spoken.turns.filter((one) => one.speaker === speaker))
      for (const span of speech)
        seconds += Math.max(
          0,
          Math.min(turn.end, start + span.end) - Math.max(turn.start, start + span.start),
        );
  }
  return seconds;
}

describe('chunkAudioToSink of two channels', () => {
  it.each([
    ['without crosstalk', 0],
    ['with a crosstalk of -26 dB', 0.05],
  ])('two speakers on two channels are split apart, %s', async (_, crosstalk) => {
    const path = await makeStereoDialogue(folder, `call-${crosstalk}.wav`, spoken, crosstalk);
    const { chunks, summary } = await chunk(path, 'auto');
    expect(summary).toMatchObject({ multichannel: true, chunks: chunks.length });
    expect(summary.duration).toBeCloseTo(60, 1);
    expect(chunks.map(({ index }) => index)).toEqual([...chunks.keys()]);
    for (const channel of [1, 2]) {
      const own = chunks.filter((each) => each.channel === channel);
      for (const [index, { end }] of own.slice(0, -1).entries())
        expect(own[index + 1]?.start ?? 0).toBeGreaterThanOrEqual(end);
    }
    const [first, second] = [...new Set(spoken.turns.map(({ speaker }) => speaker))];
    const secondsOf = (speaker = '') =>
      spoken.turns.filter((turn) => turn.speaker === speaker).reduce((sum, t) => sum + t.end - t.start, 0);
    expect(detectedSeconds(chunks, 1, first ?? '')).toBeGreaterThan(0.8 * secondsOf(first));
    expect(detectedSeconds(chunks, 2, second ?? '')).toBeGreaterThan(0.8 * secondsOf(second));
    expect(detectedSeconds(chunks, 1, second ?? '')).toBeLessThan(0.02 * secondsOf(second));
    expect(detectedSeconds(chunks, 2, first ?? '')).toBeLessThan(0.02 * secondsOf(first));
  });

  it('the option overrides what is measured, and a recording of one channel is never split', async () => {
    const call = await makeStereoDialogue(folder, 'override.wav', spoken);
    expect((await chunk(call, false)).summary.multichannel).toBe(false);
    const same = await makeMedia(folder, 'same.wav', '-i', spoken.path, '-ac', '2');
    expect((await chunk(same, 'auto')).summary.multichannel).toBe(false);
    expect((await chunk(same, true)).summary.multichannel).toBe(true);
    const mono = await chunk(spoken.path, true);
    expect(mono.summary.multichannel).toBe(false);
    expect(mono.chunks.every(({ channel }) => channel === undefined)).toBe(true);
  });

  it('a stereo room and stereo music are not split', async () => {
    const room = await makeStereoDialogue(folder, 'room.wav', spoken, 0.4);
    expect((await chunk(room, 'auto')).summary.multichannel).toBe(false);
    const music = await makeMedia(
      folder,
      'music.wav',
      ...['-f', 'lavfi', '-i', 'sine=f=220:d=150,tremolo=f=2:d=0.9'],
      ...['-f', 'lavfi', '-i', 'sine=f=330:d=150,tremolo=f=3:d=0.9'],
      ...['-filter_complex', 'join=inputs=2:channel_layout=stereo'],
    );
    expect((await chunk(music, 'auto')).summary.multichannel).toBe(false);
  });

  it.skipIf(!hasReader)('a human reader and a voice in turn are split apart', async () => {
    const turns: { samples: Int16Array; isLeft: boolean }[] = [];
    const other = decodeWav(await readFile(spoken.path));
    for (const [index, clip] of CLIPS.entries()) {
      turns.push({ samples: decodeWav(await readFile(join(READER, `${clip}.wav`))), isLeft: true });
      const { start, end } = spoken.turns[index] ?? { start: 0, end: 3 };
      turns.push({ samples: other.slice(start * SAMPLE_RATE, end * SAMPLE_RATE), isLeft: false });
    }
    const pairs = new Int16Array(2 * turns.reduce((sum, { samples }) => sum + samples.length, 0));
    let at = 0;
    for (const { samples, isLeft } of turns) {
      for (const [index, sample] of samples.entries()) pairs[2 * (at + index) + (isLeft ? 0 : 1)] = sample;
      at += samples.length;
    }
    const path = await writeStereo(folder, 'reader.wav', pairs);
    expect((await chunk(path, 'auto')).summary.multichannel).toBe(true);
  });
});
