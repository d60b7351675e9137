import { describe, expect, it } from 'vitest';
import { describeOption } from './describe-option.ts';

describe('describeOption', () => {
  it('has the name and the value as the page Transcribe has them', () => {
    expect(describeOption('multichannel', 'auto')).toEqual([
      'Channels',
      'Apart, if each has a speaker of its own',
    ]);
    expect(describeOption('multichannel', true)).toEqual(['Channels', 'Always apart']);
    expect(describeOption('multichannel', false)).toEqual(['Channels', 'Mixed']);
    expect(describeOption('redact', ['email', 'number'])).toEqual(['Redact', 'Mail addresses, All numbers']);
    expect(describeOption('redact', [])).toEqual(['Redact', 'None']);
    expect(describeOption('vocabulary', 'people')).toEqual(['Vocabulary of the account', 'people']);
  });

  it('keeps an option of another version readable', () => {
    expect(describeOption('some_new_option', { x: 1 })).toEqual(['some_new_option', '{"x":1}']);
    expect(describeOption('multichannel', 'toString')).toEqual(['Channels', 'toString']);
  });
});
