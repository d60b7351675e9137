import { describe, expect, it } from 'vitest';
import { buildFileWarnings } from './file-warnings.js';

const asDeclared = { declaredSize: 100, storedSize: 100, declaredSeconds: null };

describe('buildFileWarnings', () => {
  it('reports how many of the declared bytes were uploaded', () => {
    expect(buildFileWarnings({ ...asDeclared, declaredSize: 34_560_078, storedSize: 12_582_912 }, 5)).toEqual(
      [
        {
          code: 'upload_smaller_than_declared',
          message: '12582912 of 34560078 declared bytes were uploaded.',
          segment_id: null,
        },
      ],
    );
  });

  it('reports how much of the declared duration could be decoded', () => {
    expect(buildFileWarnings({ ...asDeclared, declaredSeconds: 2.99 }, 1.4704)).toEqual([
      {
        code: 'audio_truncated',
        message: 'The file declares a length of 2.99 s; 1.47 s of audio could be decoded.',
        segment_id: null,
      },
    ]);
  });

  it('returns no warning when at least the declared size arrived, or no size was declared', () => {
    for (const more of [
      {},
      { storedSize: 101 },
      { declaredSize: null },
      { declaredSize: null, storedSize: null },
    ])
      expect(buildFileWarnings({ ...asDeclared, ...more }, 5)).toEqual([]);
  });
});
