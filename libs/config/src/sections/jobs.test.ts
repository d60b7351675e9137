import { describe, expect, it } from 'vitest';
import { loadConfig } from '../load-config.js';

describe('MAX_UPLOAD_BYTES', () => {
  it('is at most what an object store takes in one PUT', () => {
    expect(loadConfig({ MAX_UPLOAD_BYTES: '5GiB' }).limits.uploadBytes).toBe(5 * 2 ** 30);
    expect(() => loadConfig({ MAX_UPLOAD_BYTES: '5368709121' })).toThrow(
      'MAX_UPLOAD_BYTES must be at most 5GiB, the largest PUT of an object store, not "5368709121"',
    );
  });
});
