import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';

/** Characters (code points) of a name. */
export const MAX_SPEAKER_NAME_LENGTH = 80;

const NAMES = {
  type: 'object' as const,
  additionalProperties: { type: ['string', 'null'], minLength: 1, maxLength: MAX_SPEAKER_NAME_LENGTH },
  examples: [{ SPEAKER_1: 'Ada', SPEAKER_2: null }],
};

@ApiSchema({ name: 'NameSpeakers' })
export class NameSpeakersDto {
  /** `parseSpeakerNameChanges` validates the entries, to name the invalid one. */
  @ApiProperty({
    ...NAMES,
    description: 'Names by label. `null` removes a name; labels that are not mentioned keep theirs.',
  })
  @IsObject({ message: 'must be an object of labels and names' })
  speakers: Record<string, unknown>;
}

export class SpeakersResponse {
  @ApiProperty({ type: String, format: 'uuid', examples: [EXAMPLE_VALUES.jobId] })
  job_id: string;

  @ApiProperty({ ...NAMES, description: 'Every label of the transcript with its name, `null` without one.' })
  speakers: Record<string, string | null>;
}
