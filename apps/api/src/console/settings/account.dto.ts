import { MAX_ACCOUNT_NAME_LENGTH } from '@app/auth';
import { MAX_ACCOUNT_RETENTION_DAYS, MIN_ACCOUNT_RETENTION_DAYS } from '@app/jobs';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { IsPrintableText } from '../../validation/is-printable-text.js';
import { CurrentPasswordDto } from '../profile/profile.dto.js';
import {
  ApiBooleanProperty,
  ApiNumberProperty,
  ApiTextProperty,
  ApiTimeProperty,
} from '../console.openapi.js';

@ApiSchema({ name: 'RenameAccount' })
export class RenameAccountDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_ACCOUNT_NAME_LENGTH })
  @IsPrintableText({ message: 'must have no control characters' })
  @Length(1, MAX_ACCOUNT_NAME_LENGTH, { message: `must have 1 to ${MAX_ACCOUNT_NAME_LENGTH} characters` })
  @IsString({ message: 'must be text' })
  name: string;
}

@ApiSchema({ name: 'EndAccount' })
export class EndAccountDto extends CurrentPasswordDto {
  @ApiProperty({ type: String, description: 'Exactly as it is now, as a confirmation.' })
  @IsString({ message: 'must be the name of the account' })
  name: string;
}

@ApiSchema({ name: 'ChangeAccountRetention' })
export class ChangeRetentionDto {
  @ApiProperty({
    type: 'integer',
    minimum: MIN_ACCOUNT_RETENTION_DAYS,
    maximum: MAX_ACCOUNT_RETENTION_DAYS,
    nullable: true,
    description:
      'Days after the end of their job; not more than the operator’s setting. Null: the operator’s setting.',
  })
  @IsOptional()
  @Max(MAX_ACCOUNT_RETENTION_DAYS, { message: `must be at most ${MAX_ACCOUNT_RETENTION_DAYS}` })
  @Min(MIN_ACCOUNT_RETENTION_DAYS, { message: `must be at least ${MIN_ACCOUNT_RETENTION_DAYS}` })
  @IsInt({ message: 'must be a whole number' })
  transcript_days?: number | null;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Must be true if existing transcripts are older than a shorter period: they are deleted.',
  })
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  delete_older_transcripts?: boolean;
}

@ApiSchema({ name: 'ChangeRequiredFactors' })
export class ChangeTwoFactorRequirementDto {
  @ApiProperty({ type: Boolean })
  @IsBoolean({ message: 'must be true or false' })
  required: boolean;
}

export class AccountSettingsResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiTextProperty()
  name: string;

  @ApiTimeProperty()
  created_at: Date;

  @ApiBooleanProperty({
    description:
      'Whether users reach the account only after a sign-in with two factors, as the account chose.',
  })
  requires_two_factors: boolean;

  @ApiBooleanProperty({
    description: 'Whether the operator requires two factors of everybody, whatever the accounts chose.',
  })
  service_requires_two_factors: boolean;

  @ApiNumberProperty({
    nullable: true,
    description:
      'Days after the end of their job after which transcripts are deleted: the shorter of the two. Null: never.',
  })
  transcript_retention_days: number | null;

  @ApiNumberProperty({ nullable: true, description: 'As the account chose. Null: the operator’s setting.' })
  chosen_transcript_retention_days: number | null;

  @ApiNumberProperty({ nullable: true, description: 'By the operator’s settings. Null: never.' })
  operator_transcript_retention_days: number | null;
}
