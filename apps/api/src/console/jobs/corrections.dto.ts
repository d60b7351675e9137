import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { IsPlainText } from '../../validation/is-plain-text.js';
import { NumberField, TextField, TimeField } from '../console.openapi.js';
import { UserReference } from '../keys/keys.dto.js';

const MAX_TEXT_LENGTH = 10_000;

@ApiSchema({ name: 'CorrectSegment' })
export class CorrectSegmentDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_TEXT_LENGTH })
  @IsPlainText({ message: 'must have no control characters' })
  @Length(1, MAX_TEXT_LENGTH, { message: `must have 1 to ${MAX_TEXT_LENGTH} characters` })
  @IsString({ message: 'must be text' })
  text: string;
}

export class CorrectionResponse {
  @NumberField({ description: 'Index in the segments of the transcript.' })
  segment: number;

  @TextField()
  text: string;

  @TimeField()
  updated_at: Date;

  @ApiProperty({ type: UserReference, nullable: true, description: 'Null for a deleted user.' })
  updated_by: UserReference | null;
}

export class CorrectionListResponse {
  @ApiProperty({ type: [CorrectionResponse], description: 'In the order of the transcript.' })
  corrections: CorrectionResponse[];
}
