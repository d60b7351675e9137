import { describe, expect, it } from 'vitest';
import { SpeechLog } from './speech-log.js';

/** A frame a letter, 20 ms each: `#` is speech. */
function logged(frames: string): SpeechLog {
  const log = new SpeechLog();
  for (const frame of frames) log.push({ level: -30, speech: frame === '#' });
  return log;
}

describe('SpeechLog', () => {
  it('tells the speech of a chunk on its own clock, cut at its ends', () => {
    expect(logged('..###..####.#').within({ start: 3, end: 10 })).toEqual([
      { start: 0, end: 0.04 },
      { start: 0.08, end: 0.14 },
    ]);
    expect(logged('..##').within({ start: 0, end: 2 })).toEqual([]);
  });

  it('forgets what no chunk needs any more', () => {
    const log = logged('###...###');
    log.dropBefore(4);
    expect(log.within({ start: 0, end: 9 })).toEqual([{ start: 0.12, end: 0.18 }]);
  });
});
