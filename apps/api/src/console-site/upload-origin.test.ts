import { createObjectStore } from '@app/storage';
import { describe, expect, it } from 'vitest';
import { buildPageHeaders } from './console-page.js';
import { findUploadOrigin } from './upload-origin.js';

const S3 = {
  bucket: 'audio',
  region: 'eu-west-1',
  credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
};

describe('findUploadOrigin', () => {
  it.each([
    [{ ...S3, forcePathStyle: false }, 'https://audio.s3.eu-west-1.amazonaws.com'],
    [{ ...S3, forcePathStyle: true, endpoint: 'http://store:9000' }, 'http://store:9000'],
    [
      { ...S3, forcePathStyle: false, endpoint: 'http://store:9000', publicEndpoint: 'https://s3.example' },
      'https://audio.s3.example',
    ],
  ])('is where signed URLs of the bucket lead, case %#', async (options, origin) => {
    const store = await createObjectStore({ kind: 's3', ...options });
    expect(await findUploadOrigin(store, 'https://speech.example')).toBe(origin);
  });

  it('is null for the files of the service itself', async () => {
    const store = { presignPart: async () => 'https://speech.example/base/objects/a?sig=1' };
    expect(await findUploadOrigin(store, 'https://speech.example/base')).toBeNull();
  });
});

describe('the policy of the page', () => {
  it('allows requests to the object store, and nothing else there', () => {
    const policy = buildPageHeaders('https://s3.example')['content-security-policy'];
    expect(policy).toContain("connect-src 'self' https://s3.example;");
    expect(policy.match(/s3\.example/g)).toHaveLength(1);
  });
});
