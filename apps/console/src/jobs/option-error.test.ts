import { describe, expect, it } from 'vitest';
import { DEFAULT_JOB_OPTIONS_FORM_VALUES, toJobOptionsBody } from './job-options.ts';
import { describeOptionError, listErrorsOfUnchangedOptions } from './option-error.ts';

describe('describeOptionError', () => {
  it.each([
    [
      'num_speakers',
      'must be a whole number from 1 to 32',
      'The number of speakers must be a whole number from 1 to 32.',
    ],
    ['custom_vocabulary', 'must hold no empty term', 'Terms: A term must not be empty.'],
    ['callback_url', 'must be an http or https URL', 'The callback URL must be an http or https URL.'],
    ['file_size', 'is no file size', 'This is no file size.'],
  ])('%s %s: %s', (field, message, sentence) => {
    expect(describeOptionError({ field, message })).toBe(sentence);
    expect(sentence).not.toMatch(/[a-z]_[a-z]/);
  });
});

describe('listErrorsOfUnchangedOptions', () => {
  const toBody = (change: Partial<typeof DEFAULT_JOB_OPTIONS_FORM_VALUES>) =>
    toJobOptionsBody({ ...DEFAULT_JOB_OPTIONS_FORM_VALUES, ...change }, 'talk.wav');
  const errors = [
    { field: 'num_speakers', message: 'is wrong' },
    { field: 'custom_vocabulary.1', message: 'is wrong' },
  ];

  it('has the errors of the options that are still as they were sent', () => {
    const rejected = toBody({ num_speakers: '99', terms: 'a\nb' });
    expect(listErrorsOfUnchangedOptions(errors, rejected, rejected)).toEqual([
      { field: 'num_speakers', message: 'is wrong' },
      { field: 'custom_vocabulary', message: 'is wrong' },
    ]);
    const corrected = toBody({ num_speakers: '2', terms: 'a\nb' });
    expect(listErrorsOfUnchangedOptions(errors, rejected, corrected)).toEqual([
      { field: 'custom_vocabulary', message: 'is wrong' },
    ]);
  });
});
