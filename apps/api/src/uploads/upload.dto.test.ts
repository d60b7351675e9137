import { ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { createValidatedDto } from '../validation/create-validated-dto.js';
import { CreateJobWithMultipartUploadDto } from './multipart.dto.js';
import { CreateUploadDto } from './upload.dto.js';

/** @returns `field: message` of each error */
function findErrors(value: object): string[] {
  try {
    createValidatedDto(CreateUploadDto, value);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return (error.errors ?? []).map(({ field, message }) => `${field}: ${message}`);
  }
}

const addressOfLength = (length: number) => 'https://audio.example.org/'.padEnd(length, 'a');

describe('the URLs of an upload', () => {
  it.each(['audio_url', 'callback_url'])('%s may have every host that a request can be sent to', (field) => {
    for (const host of [
      'my_bucket.example.org',
      'audio.example.org.',
      '_service.example.org',
      '8.8.8.8',
      '[2606:4700::1]',
      '8.8.8.8.',
      '134744072',
      '0x08080808',
      '010.8.8.8',
      '8.8',
    ])
      expect(findErrors({ [field]: `https://${host}/a.wav` }), host).toEqual([]);
    for (const url of ['ftp://example.org/', 'example.org/a.wav', 'https://', 'https://exa mple.org/'])
      expect(findErrors({ [field]: url }), url).toEqual([`${field}: must be an http or https URL`]);
  });

  it('have the length that the description names', () => {
    expect(findErrors({ audio_url: addressOfLength(4_096) })).toEqual([]);
    expect(findErrors({ audio_url: addressOfLength(4_097) })).toEqual([
      'audio_url: must be at most 4096 characters',
    ]);
    expect(findErrors({ callback_url: addressOfLength(2_048) })).toEqual([]);
    expect(findErrors({ callback_url: addressOfLength(2_049) })).toEqual([
      'callback_url: must be at most 2048 characters',
    ]);
  });
});

it('a file size of any whole number reaches the limit of the route', () => {
  for (const file_size of [2 ** 53, 1e20, 1e300]) {
    expect(createValidatedDto(CreateUploadDto, { file_size }).file_size).toBe(file_size);
    expect(createValidatedDto(CreateJobWithMultipartUploadDto, { file_size }).file_size).toBe(file_size);
  }
  expect(findErrors({ file_size: Infinity })).toEqual(['file_size: must be a whole number of bytes']);
});
