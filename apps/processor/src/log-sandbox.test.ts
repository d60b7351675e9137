import { describe, expect, it, vi } from 'vitest';
import { logMissingProtections } from './log-sandbox.js';

const COMPLETE = { resourceLimits: true, diesWithParent: true, noNetwork: true, ownFilesOnly: true };

describe('logMissingProtections', () => {
  it('says nothing about a complete sandbox', () => {
    const warn = vi.fn();
    logMissingProtections({ warn }, COMPLETE);
    expect(warn).not.toHaveBeenCalled();
  });

  it('names every protection that is missing, in one line', () => {
    const warn = vi.fn();
    logMissingProtections({ warn }, { ...COMPLETE, noNetwork: false, ownFilesOnly: false });
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ missing: ['noNetwork', 'ownFilesOnly'] }),
      expect.stringContaining('sandbox'),
    );
  });
});
