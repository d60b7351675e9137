import { describe, expect, it } from 'vitest';
import { describeFieldError } from './field-error.ts';

describe('describeFieldError', () => {
  it.each([
    ['current_password', 'is wrong', 'The password is wrong. Try again.'],
    [
      'code',
      'is wrong or has expired',
      'The code is wrong or has expired. Enter the code that the app shows now.',
    ],
    ['password', 'must not contain your mail address', 'The password must not contain your mail address.'],
    ['url', 'must be an http or https address.', 'The URL must be an http or https address.'],
    ['speakers.SPEAKER_1', 'must not be empty', 'This must not be empty.'],
  ])('%s %s: %s', (field, message, sentence) =>
    expect(describeFieldError({ field, message })).toBe(sentence),
  );
});
