import type { InvalidField } from '@app/errors';
import {
  type JobMetadata,
  JOB_MODELS,
  JOB_TIERS,
  MAX_VOCABULARY_NAME_LENGTH,
  MAX_VOCABULARY_TERM_LENGTH,
  MAX_VOCABULARY_TERMS,
  MULTICHANNEL_MODES,
  type MultichannelMode,
  OUTPUT_TYPES,
  REDACTION_KINDS,
} from '@app/jobs';
import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { IsPrintableText } from '../validation/is-printable-text.js';
import { IsHttpUrl } from '../validation/is-http-url.js';
import { METADATA_REQUEST_SCHEMA, findMetadataErrors } from './job-metadata.js';
import { JOB_OPTION_SCHEMAS, REDACT_DESCRIPTION } from './job-options.openapi.js';
import { findSpeakerCountErrors, ValidatedSpeakerCountProperty } from './speaker-count.js';

/** Skips validation of an absent field; unlike `IsOptional` it rejects `null`. */
const AllowUndefined = () => ValidateIf((_, value) => value !== undefined);

/**
 * The options of every route that creates a job. `toJobOptions` applies the defaults.
 * Validators run from the property upwards and stop at the first error, so the type check is last.
 */
export class JobOptionsDto {
  @ApiPropertyOptional(JOB_OPTION_SCHEMAS.model)
  @AllowUndefined()
  @IsIn(JOB_MODELS, { message: `must be one of: ${JOB_MODELS.join(', ')}` })
  model?: string;

  @ApiPropertyOptional(JOB_OPTION_SCHEMAS.output_type)
  @AllowUndefined()
  @IsIn(OUTPUT_TYPES, { message: `must be one of: ${OUTPUT_TYPES.join(', ')}` })
  output_type?: string;

  @ApiPropertyOptional(JOB_OPTION_SCHEMAS.word_timestamps)
  @AllowUndefined()
  @IsBoolean({ message: 'must be true or false' })
  word_timestamps?: boolean;

  @ApiPropertyOptional(JOB_OPTION_SCHEMAS.speaker_labels)
  @AllowUndefined()
  @IsBoolean({ message: 'must be true or false' })
  speaker_labels?: boolean;

  @ApiPropertyOptional(JOB_OPTION_SCHEMAS.diarize)
  @AllowUndefined()
  @IsBoolean({ message: 'must be true or false' })
  diarize?: boolean;

  @ApiPropertyOptional(JOB_OPTION_SCHEMAS.nltk)
  @AllowUndefined()
  @IsBoolean({ message: 'must be true or false' })
  nltk?: boolean;

  @ApiPropertyOptional(JOB_OPTION_SCHEMAS.filler_words)
  @AllowUndefined()
  @IsBoolean({ message: 'must be true or false' })
  filler_words?: boolean;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...REDACTION_KINDS] },
    nullable: true,
    uniqueItems: true,
    maxItems: REDACTION_KINDS.length,
    description: REDACT_DESCRIPTION,
    examples: [['email', 'phone']],
  })
  @IsOptional()
  @ArrayUnique({ message: 'must hold no kind twice' })
  @IsIn(REDACTION_KINDS, { each: true, message: `must hold only: ${REDACTION_KINDS.join(', ')}` })
  @ArrayMaxSize(REDACTION_KINDS.length, { message: `must hold at most ${REDACTION_KINDS.length} kinds` })
  @IsArray({ message: 'must be an array of kinds' })
  redact?: (typeof REDACTION_KINDS)[number][] | null;

  @ApiPropertyOptional(JOB_OPTION_SCHEMAS.multichannel)
  @AllowUndefined()
  @IsIn(MULTICHANNEL_MODES, { message: 'must be auto, true or false' })
  multichannel?: MultichannelMode;

  @ValidatedSpeakerCountProperty('num_speakers')
  num_speakers?: number | null;

  @ValidatedSpeakerCountProperty('min_speakers')
  min_speakers?: number | null;

  @ValidatedSpeakerCountProperty('max_speakers')
  max_speakers?: number | null;

  @ApiPropertyOptional(JOB_OPTION_SCHEMAS.tier)
  @AllowUndefined()
  @IsIn(JOB_TIERS, { message: `must be one of: ${JOB_TIERS.join(', ')}` })
  tier?: string;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: MAX_VOCABULARY_TERM_LENGTH },
    nullable: true,
    maxItems: MAX_VOCABULARY_TERMS,
    description: 'Domain terms to bias the recogniser towards.',
    examples: [['Zephyr', 'diarization']],
  })
  @IsOptional()
  @IsPrintableText({ each: true, message: 'must hold terms without control characters' })
  @MaxLength(MAX_VOCABULARY_TERM_LENGTH, {
    each: true,
    message: `must hold terms of at most ${MAX_VOCABULARY_TERM_LENGTH} characters`,
  })
  @IsNotEmpty({ each: true, message: 'must hold no empty term' })
  @IsString({ each: true, message: 'must hold strings only' })
  @ArrayMaxSize(MAX_VOCABULARY_TERMS, { message: `must hold at most ${MAX_VOCABULARY_TERMS} terms` })
  @IsArray({ message: 'must be an array of strings' })
  custom_vocabulary?: string[] | null;

  @ApiPropertyOptional({ ...JOB_OPTION_SCHEMAS.vocabulary, nullable: true })
  @IsOptional()
  @IsPrintableText()
  @Length(1, MAX_VOCABULARY_NAME_LENGTH, {
    message: `must have 1 to ${MAX_VOCABULARY_NAME_LENGTH} characters`,
  })
  @IsString({ message: 'must be the name of a vocabulary' })
  vocabulary?: string | null;

  @ApiPropertyOptional({ ...JOB_OPTION_SCHEMAS.callback_url, nullable: true })
  @IsOptional()
  @IsHttpUrl()
  @MaxLength(2_048, { message: 'must be at most 2048 characters' })
  @IsPrintableText()
  callback_url?: string | null;

  @ApiPropertyOptional(METADATA_REQUEST_SCHEMA)
  @IsOptional()
  @IsObject({ message: 'must be an object of texts' })
  metadata?: JobMetadata | null;

  static findFieldErrors(options: { metadata?: unknown }): InvalidField[] {
    return [...findMetadataErrors(options.metadata), ...findSpeakerCountErrors({ ...options })];
  }
}
