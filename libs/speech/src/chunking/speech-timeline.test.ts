import { describe, expect, it } from 'vitest';
import { SpeechTimeline } from './speech-timeline.js';

/** A frame a letter, 20 ms each: `#` is speech. */
function logged(frames: string): SpeechTimeline {
  const log = new SpeechTimeline();
  for (const frame of frames) log.push({ levelDb: -30, isSpeech: frame === '#' });
  return log;
}

describe('SpeechTimeline', () => {
  it('returns the speech in a chunk relative to the chunk start, clipped to its bounds', () => {
    expect(logged('..###..####.#').speechIn({ start: 3, end: 10 })).toEqual([
      { start: 0, end: 0.04 },
      { start: 0.08, end: 0.14 },
    ]);
    expect(logged('..##').speechIn({ start: 0, end: 2 })).toEqual([]);
  });

  it('drops speech before the earliest frame that a chunk can still need', () => {
    const log = logged('###...###');
    log.dropBefore(4);
    expect(log.speechIn({ start: 0, end: 9 })).toEqual([{ start: 0.12, end: 0.18 }]);
  });
});
