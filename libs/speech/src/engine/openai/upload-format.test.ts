import { describe, expect, it } from 'vitest';
import { type AudioFormatSetting, UploadFormatNegotiator } from './upload-format.js';

function negotiate(setting: AudioFormatSetting, baseUrl = 'http://gpu:8000/v1') {
  let rejections = 0;
  const formats = new UploadFormatNegotiator(setting, baseUrl, () => void (rejections += 1));
  return { formats, countRejections: () => rejections };
}

describe('UploadFormatNegotiator', () => {
  it.each<[AudioFormatSetting, string, boolean]>([
    ['auto', 'http://gpu:8000/v1', true],
    ['auto', 'http://127.0.0.1:8000/v1', false],
    ['auto', 'http://localhost:8000/v1', false],
    ['auto', 'http://[::1]:8000/v1', false],
    ['flac', 'http://localhost:8000/v1', true],
    ['wav', 'http://gpu:8000/v1', false],
  ])('%s to %s', (setting, baseUrl, wantsFlac) => {
    expect(negotiate(setting, baseUrl).formats.wantsFlac).toBe(wantsFlac);
  });

  it('FLAC is given up after several chunks in a row, and reported once', () => {
    const { formats, countRejections } = negotiate('auto');
    formats.recordAccepted('wav', true);
    formats.recordAccepted('wav', true);
    formats.recordAccepted('flac', false);
    expect(formats.flacConfirmed).toBe(true);
    formats.recordAccepted('wav', true);
    formats.recordAccepted('wav', true);
    expect([formats.wantsFlac, countRejections()]).toEqual([true, 0]);
    formats.recordAccepted('wav', true);
    formats.recordAccepted('wav', true);
    expect([formats.wantsFlac, countRejections()]).toEqual([false, 1]);
  });

  it('WAV that was sent for another reason says nothing about FLAC', () => {
    const { formats } = negotiate('auto');
    for (let at = 0; at < 5; at += 1) formats.recordAccepted('wav', false);
    expect(formats.wantsFlac).toBe(true);
  });
});
