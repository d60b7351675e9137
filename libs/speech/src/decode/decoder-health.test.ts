import { describe, expect, it, vi } from 'vitest';
import { DecoderHealth } from './decoder-health.js';

function createAvailability() {
  const locate = vi.fn(() => Promise.resolve());
  const start = vi.fn(() => Promise.resolve());
  return { locate, start, availability: new DecoderHealth(locate, start) };
}

describe('DecoderHealth', () => {
  it('starts nothing while no start has failed', async () => {
    const { availability, locate, start } = createAvailability();
    await availability.check();
    expect(locate).toHaveBeenCalledOnce();
    expect(start).not.toHaveBeenCalled();
  });

  it('rejects after a failed start until the decoder starts again', async () => {
    const { availability, start } = createAvailability();
    availability.reportFailedStart();
    start.mockRejectedValueOnce(new Error('no namespace')).mockRejectedValueOnce(new Error('no namespace'));
    await expect(availability.check()).rejects.toThrow('no namespace');
    await expect(availability.check()).rejects.toThrow('no namespace');
    await availability.check();
    await availability.check();
    expect(start).toHaveBeenCalledTimes(3);
  });

  it('rejects while the decoder is missing', async () => {
    const { availability, locate } = createAvailability();
    locate.mockRejectedValueOnce(new Error('not installed'));
    await expect(availability.check()).rejects.toThrow('not installed');
  });
});
