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
/** One second of the second turn is assigned to the first speaker. */
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

/** With fakes of service and engine. */
async function createBenchmark() {
  const measure = (path) => {
    if (path === 'broken.mp3') return Promise.reject(new UserFacingError('The job failed at chunk.'));
    return Promise.resolve({ transcript: TRANSCRIPT, seconds: 2, cpuSeconds: 3, engineSeconds: 2.5 });
  };
  const transcribe = () => Promise.resolve({ text: 'good evening', seconds: 4, cpuSeconds: 4 });
  return new RecordingBenchmark({ measure }, { transcribe }, await loadScorers());
}

describe('RecordingBenchmark', () => {
  it('scores both sides with the references', async () => {
    const [measured] = await (await createBenchmark()).measureAll([RECORDING]);
    expect(measured).toMatchObject({
      name: 'talk',
      duration: 10,
      service: { seconds: 2, cpuSeconds: 3, engineSeconds: 2.5 },
      bare: { seconds: 4, cpuSeconds: 4 },
      words: { reference: 5, service: 1, bare: 4 },
      found: 2,
      expected: 2,
    });
    const { collar, strict } = measured.speakers;
    expect(strict.scored).toBeCloseTo(9, 3);
    expect(strict.wrong).toBeCloseTo(1, 3);
    // A quarter of a second at both ends of the second turn is not scored.
    expect(collar.wrong).toBeCloseTo(0.75, 3);
  });

  it('scores nothing without references', async () => {
    const [measured] = await (
      await createBenchmark()
    ).measureAll([{ ...RECORDING, text: null, turns: null }]);
    expect(measured).toMatchObject({ words: null, speakers: null, expected: null, found: 2 });
  });

  it('measureSuccessful omits a failed job, on which measureAll rejects', async () => {
    const broken = { ...RECORDING, path: 'broken.mp3' };
    const benchmark = await createBenchmark();
    await expect(benchmark.measureAll([broken, RECORDING])).rejects.toThrow('The job failed');
    expect(await benchmark.measureSuccessful([broken, RECORDING])).toHaveLength(1);
  });
});
