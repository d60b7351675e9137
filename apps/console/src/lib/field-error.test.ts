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
    ['url', 'must be an http or https URL.', 'The URL must be an http or https URL.'],
    ['speakers.SPEAKER_1', 'must not be empty', 'This must not be empty.'],
    [
      'speakers.SPEAKER_1',
      'must be text of 1 to 80 characters without control characters, or null',
      'A name has at most 80 characters, on one line.',
    ],
    ['email', 'must be a mail address', 'This is not a mail address. It looks like name@example.org.'],
    ['custom_vocabulary.2', 'must hold no empty term', 'A term must not be empty.'],
  ])('%s %s: %s', (field, message, sentence) =>
    expect(describeFieldError({ field, message })).toBe(sentence),
  );
});
