import { describe, expect, it } from 'vitest';
import { toJobFailureError } from './to-job-failure-error.js';

const NO_AUDIO = 'The file holds no audio that can be decoded.';

describe('toJobFailureError', () => {
  it.each([
    ['preprocess', NO_AUDIO, 'unprocessable_audio', 'file'],
    ['chunk:3', 'Processing failed several times; it was given up.', 'job_failed', undefined],
    ['aggregation', 'anything', 'job_failed', undefined],
    ['billing', 'Not enough credit.', 'insufficient_credits', undefined],
    ['cancelled', 'The job was cancelled.', 'job_cancelled', undefined],
  ])('maps a failure of %s (%s) to %s', (step, reason, code, param) => {
    const error = toJobFailureError({ step, reason });
    expect([error.code, error.errors?.[0]?.field]).toEqual([code, param]);
    expect(error.detail).toContain(reason);
  });

  it.each(['crashing', 'failing', 'late'])(
    'maps a service failure of kind %s to job_failed, whatever its reason says',
    (code) => {
      const error = toJobFailureError({ step: 'preprocess', reason: NO_AUDIO, given_up: code });
      expect([error.code, error.detail]).toEqual(['job_failed', `preprocess: ${NO_AUDIO}`]);
    },
  );
});
