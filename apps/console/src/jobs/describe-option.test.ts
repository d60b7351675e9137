import { describe, expect, it } from 'vitest';
import { describeOption } from './describe-option.ts';

describe('describeOption', () => {
  it('has the name and the value as the page Transcribe has them', () => {
    expect(describeOption('multichannel', 'auto')).toEqual(['Channels', 'Apart, if each has a speaker']);
    expect(describeOption('multichannel', true)).toEqual(['Channels', 'Always apart']);
    expect(describeOption('multichannel', false)).toEqual(['Channels', 'Mixed']);
    expect(describeOption('redact', ['email', 'number'])).toEqual(['Redact', 'Mail addresses, All numbers']);
    expect(describeOption('redact', [])).toEqual(['Redact', 'None']);
    expect(describeOption('vocabulary', 'people')).toEqual(['Vocabulary', 'people']);
  });

  it('tells the list of the account from the terms of the job, and what was not given from zero', () => {
    expect(describeOption('vocabulary', null)).toEqual(['Vocabulary', 'Not given']);
    expect(describeOption('custom_vocabulary', ['zephyr'])).toEqual(['Terms', 'zephyr']);
    expect(describeOption('num_speakers', null)).toEqual(['Number of speakers', 'Not given']);
    expect(describeOption('min_speakers', 2)).toEqual(['Speakers, at least', '2']);
    expect(describeOption('max_speakers', null)).toEqual(['Speakers, at most', 'Not given']);
  });

  it('keeps an option of another version readable', () => {
    expect(describeOption('some_new_option', { x: 1 })).toEqual(['some_new_option', '{"x":1}']);
    expect(describeOption('multichannel', 'toString')).toEqual(['Channels', 'toString']);
  });
});
