import { invalidFieldError } from '@app/errors';
import { DEFAULT_OPTIONS, type JobOptions } from '@app/jobs';
import { AVAILABLE_FORMATS } from '@app/transcript';
import type { JobOptionsDto } from './job-options.dto.js';

/** Applies the defaults and resolves the alias `diarize`. */
export function toJobOptions(dto: JobOptionsDto): JobOptions {
  const options = { ...DEFAULT_OPTIONS, ...omitUndefined(pickOptions(dto)) } as JobOptions;
  if (!AVAILABLE_FORMATS.includes(options.output_type))
    throw invalidFieldError('output_type', `${options.output_type} cannot be made by this service yet`);
  return options;
}

function pickOptions(dto: JobOptionsDto): Partial<Record<keyof JobOptions, unknown>> {
  const { model, output_type, word_timestamps, nltk, tier, custom_vocabulary, callback_url } = dto;
  const speaker_labels = resolveSpeakerLabels(dto);
  return { model, output_type, word_timestamps, speaker_labels, nltk, tier, custom_vocabulary, callback_url };
}

function resolveSpeakerLabels({ speaker_labels, diarize }: JobOptionsDto): boolean | undefined {
  if (speaker_labels !== undefined && diarize !== undefined && speaker_labels !== diarize)
    throw invalidFieldError('diarize', 'contradicts speaker_labels, whose alias it is');
  return speaker_labels ?? diarize;
}

function omitUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Partial<T>;
}
