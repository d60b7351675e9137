import { describe, expect, it } from 'vitest';
import { UserFacingError } from '../../scripts/lib/user-facing-error.mjs';
import { loadScorers } from '../lib/scorers.mjs';
import { RecordingBenchmark } from './measure-recording.mjs';

const TURNS = [
  { speaker: 'Anna', start: 0, end: 4 },
  { speaker: 'Ben', start: 5, end: 10 },
];
const RECORDING = {
  name: 'talk',
  path: 'talk.mp3',
  plain: 'talk.wav',
  duration: 10,
  text: 'Good morning, Ben. Good morning.',
  turns: TURNS,
};
/** One second of the second turn is taken for the first speaker. */
const TRANSCRIPT = {
  text: 'Good morning then. Good morning.',
  speakers: [{ id: 'SPEAKER_1' }, { id: 'SPEAKER_2' }],
  segments: [
    { start: 0, end: 4, speaker: 'SPEAKER_1' },
    { start: 5, end: 6, speaker: 'SPEAKER_1' },
    { start: 6, end: 10, speaker: 'SPEAKER_2' },
    { start: 10, end: 11, speaker: null },
  ],
};

/** Both sides as they answer, without the work. */
async function measuring() {
  const measure = (path) => {
    if (path === 'broken.mp3') return Promise.reject(new UserFacingError('The job failed at chunk.'));
    return Promise.resolve({ transcript: TRANSCRIPT, seconds: 2, cpuSeconds: 3, engineSeconds: 2.5 });
  };
  const hear = () => Promise.resolve({ text: 'good evening', seconds: 4, cpuSeconds: 4 });
  return new RecordingBenchmark({ measure }, { hear }, await loadScorers());
}

describe('measuring a recording', () => {
  it('scorers both sides by what is known', async () => {
    const [measured] = await (await measuring()).all([RECORDING]);
    expect(measured).toMatchObject({
      name: 'talk',
      duration: 10,
      service: { seconds: 2, cpuSeconds: 3, engineSeconds: 2.5 },
      bare: { seconds: 4, cpuSeconds: 4 },
      words: { said: 5, service: 1, bare: 4 },
      found: 2,
      told: 2,
    });
    const { collar, strict } = measured.speakers;
    expect(strict.scored).toBeCloseTo(9, 3);
    expect(strict.wrong).toBeCloseTo(1, 3);
    // Of both ends of the second turn a quarter of a second is not scored, and of its error.
    expect(collar.wrong).toBeCloseTo(0.75, 3);
  });

  it('scorers nothing without references', async () => {
    const [measured] = await (await measuring()).all([{ ...RECORDING, text: null, turns: null }]);
    expect(measured).toMatchObject({ words: null, speakers: null, told: null, found: 2 });
  });

  it('goes on after a job that failed only where that is asked', async () => {
    const broken = { ...RECORDING, path: 'broken.mp3' };
    const sides = await measuring();
    await expect(sides.all([broken, RECORDING])).rejects.toThrow('The job failed');
    expect(await sides.whatWorks([broken, RECORDING])).toHaveLength(1);
  });
});
