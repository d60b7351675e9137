import type { InvalidField } from '@app/errors';
import { MAX_SPEAKER_COUNT } from '@app/jobs';
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

export const SPEAKER_COUNT_FIELDS = ['num_speakers', 'min_speakers', 'max_speakers'] as const;
type SpeakerCountField = (typeof SPEAKER_COUNT_FIELDS)[number];

const MESSAGE = `must be a whole number from 1 to ${MAX_SPEAKER_COUNT}`;

const countSchema = (description: string) =>
  ({ type: 'integer', minimum: 1, maximum: MAX_SPEAKER_COUNT, description }) as const;

export const SPEAKER_COUNT_SCHEMAS = {
  num_speakers: countSchema('How many speakers the recording has, if that is known.'),
  min_speakers: countSchema('The least number of speakers, if that is known.'),
  max_speakers: countSchema('The greatest number of speakers, if that is known.'),
} as const satisfies Record<SpeakerCountField, ApiPropertyOptions>;

export function ValidatedSpeakerCountProperty(field: SpeakerCountField): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...SPEAKER_COUNT_SCHEMAS[field], nullable: true }),
    IsOptional(),
    Max(MAX_SPEAKER_COUNT, { message: MESSAGE }),
    Min(1, { message: MESSAGE }),
    IsInt({ message: MESSAGE }),
  );
}

/** @param options not validated */
export function findSpeakerCountErrors(options: Readonly<Record<string, unknown>>): InvalidField[] {
  const [exact, min, max] = SPEAKER_COUNT_FIELDS.map((field) =>
    Number.isInteger(options[field]) ? Number(options[field]) : null,
  );
  if (options['speaker_labels'] === false || options['diarize'] === false)
    return SPEAKER_COUNT_FIELDS.filter((field) => options[field] != null).map((field) => ({
      field,
      message: 'must be left out when speakers are not labelled',
    }));
  if (exact != null && min != null && min > exact)
    return [{ field: 'min_speakers', message: 'must be at most num_speakers' }];
  if (exact != null && max != null && max < exact)
    return [{ field: 'max_speakers', message: 'must be at least num_speakers' }];
  return min != null && max != null && max < min
    ? [{ field: 'max_speakers', message: 'must be at least min_speakers' }]
    : [];
}
