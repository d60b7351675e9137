import { describe, expect, it } from 'vitest';
import { toOptionLabelAndText } from './option-label-and-text.ts';

describe('toOptionLabelAndText', () => {
  it('has the name and the value as the page Transcribe has them', () => {
    expect(toOptionLabelAndText('multichannel', 'auto')).toEqual([
      'Channels',
      'Apart, if each has a speaker',
    ]);
    expect(toOptionLabelAndText('multichannel', true)).toEqual(['Channels', 'Always apart']);
    expect(toOptionLabelAndText('multichannel', false)).toEqual(['Channels', 'Mixed']);
    expect(toOptionLabelAndText('redact', ['email', 'number'])).toEqual([
      'Redact',
      'Mail addresses, All numbers',
    ]);
    expect(toOptionLabelAndText('redact', [])).toEqual(['Redact', 'None']);
    expect(toOptionLabelAndText('vocabulary', 'people')).toEqual(['Vocabulary', 'people']);
  });

  it('tells the list of the account from the terms of the job, and what was not given from zero', () => {
    expect(toOptionLabelAndText('vocabulary', null)).toEqual(['Vocabulary', 'Not given']);
    expect(toOptionLabelAndText('custom_vocabulary', ['zephyr'])).toEqual(['Terms', 'zephyr']);
    expect(toOptionLabelAndText('num_speakers', null)).toEqual(['Number of speakers', 'Not given']);
    expect(toOptionLabelAndText('min_speakers', 2)).toEqual(['Speakers, at least', '2']);
    expect(toOptionLabelAndText('max_speakers', null)).toEqual(['Speakers, at most', 'Not given']);
  });

  it('keeps an option of another version readable', () => {
    expect(toOptionLabelAndText('some_new_option', { x: 1 })).toEqual(['some_new_option', '{"x":1}']);
    expect(toOptionLabelAndText('multichannel', 'toString')).toEqual(['Channels', 'toString']);
  });
});
