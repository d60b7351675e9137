import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional, IsString, Length, MaxLength, ValidateIf } from 'class-validator';
import { IsTextWithoutControlCharacters } from '../../validation/is-printable-text.js';
import { ApiNumberProperty, ApiTextProperty, ApiTimeProperty } from '../console.openapi.js';
import { UserReference } from '../keys/keys.dto.js';

const MAX_TEXT_LENGTH = 10_000;

@ApiSchema({ name: 'CorrectSegment' })
export class CorrectTranscriptSegmentDto {
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_TEXT_LENGTH,
    nullable: true,
    description: 'Null shows the original again.',
  })
  @IsTextWithoutControlCharacters({ message: 'must have no control characters' })
  @Length(1, MAX_TEXT_LENGTH, { message: `must have 1 to ${MAX_TEXT_LENGTH} characters` })
  @IsString({ message: 'must be text' })
  @ValidateIf((_, text) => text !== null)
  text: string | null;

  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_TEXT_LENGTH,
    nullable: true,
    description:
      'The correction that was seen before; null for none. If the segment has another one, nothing is saved (`correction_changed`). Without this field, any correction is replaced.',
  })
  @MaxLength(MAX_TEXT_LENGTH, { message: `must have at most ${MAX_TEXT_LENGTH} characters` })
  @IsString({ message: 'must be text or null' })
  @IsOptional()
  replaces?: string | null;
}

export class CorrectionResponse {
  @ApiNumberProperty({ description: 'Index in the segments of the transcript.' })
  segment: number;

  @ApiTextProperty()
  text: string;

  @ApiTimeProperty()
  updated_at: Date;

  @ApiProperty({ type: UserReference, nullable: true, description: 'Null for a deleted user.' })
  updated_by: UserReference | null;
}

export class CorrectionListResponse {
  @ApiProperty({ type: [CorrectionResponse], description: 'In the order of the transcript.' })
  corrections: CorrectionResponse[];
}
