import { describe, expect, it, vi } from 'vitest';
import { DecoderUnavailableError } from './audio-errors.js';
import { DecoderHealth, decodeSampleOfSilence } from './decoder-health.js';

function createAvailability() {
  const locate = vi.fn(() => Promise.resolve());
  const decodeSample = vi.fn(() => Promise.resolve());
  return { locate, decodeSample, availability: new DecoderHealth(locate, decodeSample) };
}

describe('DecoderHealth', () => {
  it('decodes nothing while nothing has failed', async () => {
    const { availability, locate, decodeSample } = createAvailability();
    await availability.check();
    expect(locate).toHaveBeenCalledOnce();
    expect(decodeSample).not.toHaveBeenCalled();
  });

  it('rejects after a failed start until the decoder decodes again', async () => {
    const { availability, decodeSample } = createAvailability();
    availability.reportFailedStart();
    decodeSample
      .mockRejectedValueOnce(new Error('no namespace'))
      .mockRejectedValueOnce(new Error('no namespace'));
    await expect(availability.check()).rejects.toThrow('no namespace');
    await expect(availability.check()).rejects.toThrow('no namespace');
    await availability.check();
    await availability.check();
    expect(decodeSample).toHaveBeenCalledTimes(3);
  });

  it('rejects while the decoder is missing', async () => {
    const { availability, locate } = createAvailability();
    locate.mockRejectedValueOnce(new Error('not installed'));
    await expect(availability.check()).rejects.toThrow('not installed');
  });

  it('says that a decoder is unavailable which decodes no valid file, and rejects until it does', async () => {
    const { availability, decodeSample } = createAvailability();
    await availability.assertDecodesSample();
    decodeSample.mockRejectedValue(new Error('no such filter'));
    await expect(availability.assertDecodesSample()).rejects.toBeInstanceOf(DecoderUnavailableError);
    await expect(availability.check()).rejects.toThrow('no such filter');
    decodeSample.mockResolvedValue();
    await availability.check();
  });
});

it('decodeSampleOfSilence succeeds with the installed ffmpeg', async () => {
  await expect(decodeSampleOfSilence()).resolves.toBeUndefined();
});
