import { invalidField } from '@app/errors';
import { DEFAULT_OPTIONS, type JobOptions } from '@app/jobs';
import { availableFormats } from '@app/transcript';
import type { JobOptionsDto } from './job-options.dto.js';

/** The validated request with its defaults filled in and `diarize` folded into `speaker_labels`. */
export function toJobOptions(dto: JobOptionsDto): JobOptions {
  const options = { ...DEFAULT_OPTIONS, ...withoutUndefined(pickOptions(dto)) } as JobOptions;
  if (!availableFormats.includes(options.output_type))
    throw invalidField('output_type', `${options.output_type} cannot be made by this service yet`);
  return options;
}

function pickOptions(dto: JobOptionsDto): Partial<Record<keyof JobOptions, unknown>> {
  const { model, output_type, word_timestamps, nltk, tier, custom_vocabulary, callback_url } = dto;
  const speaker_labels = speakerLabels(dto);
  return { model, output_type, word_timestamps, speaker_labels, nltk, tier, custom_vocabulary, callback_url };
}

function speakerLabels({ speaker_labels, diarize }: JobOptionsDto): boolean | undefined {
  if (speaker_labels !== undefined && diarize !== undefined && speaker_labels !== diarize)
    throw invalidField('diarize', 'contradicts speaker_labels, whose alias it is');
  return speaker_labels ?? diarize;
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Partial<T>;
}
