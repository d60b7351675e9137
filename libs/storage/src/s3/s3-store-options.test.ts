import { expect, it } from 'vitest';
import { describeS3Location } from './s3-store-options.js';

const OPTIONS = { bucket: 'audio', region: 'eu-west-1', forcePathStyle: true };

it('describeS3Location names bucket and server, without credentials', () => {
  const endpoint = 'https://user:secret@objects.example:9000/path';
  expect(describeS3Location({ ...OPTIONS, endpoint })).toBe('bucket audio at https://objects.example:9000');
});

it('describeS3Location names the region of AWS if no server is set', () => {
  expect(describeS3Location(OPTIONS)).toBe('bucket audio at AWS in eu-west-1');
});
