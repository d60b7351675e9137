import { describe, expect, it } from 'vitest';
import {
  DEFAULT_JOB_OPTIONS_FORM_VALUES,
  findRepeatedMetadataName,
  toJobOptionsFormValues,
  toJobOptionsBody,
} from './job-options.ts';

describe('toJobOptionsBody', () => {
  it('has every option with its default, and no empty ones', () => {
    expect(toJobOptionsBody(DEFAULT_JOB_OPTIONS_FORM_VALUES, null)).toEqual({
      model: 'zephyr',
      output_type: 'json',
      word_timestamps: true,
      speaker_labels: true,
      nltk: true,
      filler_words: true,
      multichannel: 'auto',
      tier: 'standard',
    });
  });

  it('has terms and metadata by line, and the file name', () => {
    const body = toJobOptionsBody(
      { ...DEFAULT_JOB_OPTIONS_FORM_VALUES, terms: ' Zephyr \n\nradosgw\r\n', metadata: 'a=1=2\n b = c \nd' },
      'talk.mp3',
    );
    expect(body.custom_vocabulary).toEqual(['Zephyr', 'radosgw']);
    expect(body.metadata).toEqual({ a: '1=2', b: 'c', d: '', file_name: 'talk.mp3' });
  });

  it('has the name of a vocabulary beside the terms', () => {
    const body = toJobOptionsBody(
      { ...DEFAULT_JOB_OPTIONS_FORM_VALUES, vocabulary: 'People', terms: 'Zephyr' },
      null,
    );
    expect(body).toMatchObject({ vocabulary: 'People', custom_vocabulary: ['Zephyr'] });
  });

  it('has the numbers of speakers that are filled in, unless speakers are not labelled', () => {
    const form = { ...DEFAULT_JOB_OPTIONS_FORM_VALUES, min_speakers: '2', max_speakers: ' 4 ' };
    expect(toJobOptionsBody(form, null)).toMatchObject({ min_speakers: 2, max_speakers: 4 });
    expect(toJobOptionsBody(form, null)).not.toHaveProperty('num_speakers');
    expect(toJobOptionsBody({ ...form, speaker_labels: false }, null)).not.toHaveProperty('min_speakers');
    expect(toJobOptionsBody({ ...form, num_speakers: 'x' }, null)).toMatchObject({ num_speakers: 'x' });
  });

  it('shortens and cleans a file name that metadata could not have', () => {
    const name = `\u0007${'😀'.repeat(300)}\ud800`;
    expect(toJobOptionsBody(DEFAULT_JOB_OPTIONS_FORM_VALUES, name).metadata).toEqual({
      file_name: '😀'.repeat(200),
    });
  });
});

describe('findRepeatedMetadataName', () => {
  it.each([
    ['', null],
    ['a=1\nb=1', null],
    ['a=1\nb=2\n a = 3', 'a'],
    ['a\na=', 'a'],
  ])('in %j finds %j', (text, name) => expect(findRepeatedMetadataName(text)).toBe(name));
});

describe('toJobOptionsFormValues', () => {
  it('is the inverse of the body, without the file name', () => {
    const form = {
      ...DEFAULT_JOB_OPTIONS_FORM_VALUES,
      nltk: false,
      multichannel: false as const,
      terms: 'a\nb',
      num_speakers: '3',
      metadata: 'x=1',
      output_type: 'srt' as const,
    };
    const body = toJobOptionsBody(form, 'talk.mp3');
    expect(toJobOptionsFormValues({ ...body }, body.metadata ?? null, null)).toEqual(form);
  });

  it('has defaults for what is unknown', () => {
    expect(
      toJobOptionsFormValues({ output_type: 'exe', nltk: 'no', custom_vocabulary: 7 }, null, null),
    ).toEqual(DEFAULT_JOB_OPTIONS_FORM_VALUES);
  });
});
