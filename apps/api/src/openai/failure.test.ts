import { describe, expect, it } from 'vitest';
import { failureOf } from './failure.js';

const NO_AUDIO = 'The file holds no audio that can be decoded.';

describe('failureOf', () => {
  it.each([
    ['preprocess', NO_AUDIO, 'unprocessable_audio', 'file'],
    ['chunk:3', 'Processing failed several times; it was given up.', 'job_failed', undefined],
    ['aggregation', 'anything', 'job_failed', undefined],
    ['billing', 'Not enough credit.', 'insufficient_credits', undefined],
    ['cancelled', 'The job was cancelled.', 'job_cancelled', undefined],
  ])('%s (%s) is %s', (step, reason, code, param) => {
    const error = failureOf({ step, reason });
    expect([error.code, error.errors?.[0]?.field]).toEqual([code, param]);
    expect(error.detail).toContain(reason);
  });

  it.each(['crashing', 'failing', 'late'])(
    'given up as %s is job_failed, whatever the reason says',
    (code) => {
      const error = failureOf({ step: 'preprocess', reason: NO_AUDIO, given_up: code });
      expect([error.code, error.detail]).toEqual(['job_failed', `preprocess: ${NO_AUDIO}`]);
    },
  );
});
