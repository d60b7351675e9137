import { MODELS, OUTPUT_TYPES, TIERS } from '@app/jobs';
import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsString,
  IsUrl,
  MaxLength,
} from 'class-validator';
import { IsPlainText } from '../validation/is-plain-text.js';
import { MayBeAbsent, MayBeNull } from '../validation/presence.js';

export const MAX_TERMS = 1_000;
export const MAX_TERM_LENGTH = 100;

/**
 * The options that every route which creates a job takes. What is absent gets its default later, in one place.
 * Checks run from the property upwards, and the first that fails is reported: the type stands lowest.
 */
export class JobOptionsDto {
  @ApiPropertyOptional({ enum: MODELS, default: 'zephyr', description: 'The only model available.' })
  @MayBeAbsent()
  @IsIn(MODELS, { message: `must be one of: ${MODELS.join(', ')}` })
  model?: string;

  @ApiPropertyOptional({
    enum: OUTPUT_TYPES,
    default: 'json',
    description: 'Format of the stored transcript.',
  })
  @MayBeAbsent()
  @IsIn(OUTPUT_TYPES, { message: `must be one of: ${OUTPUT_TYPES.join(', ')}` })
  output_type?: string;

  @ApiPropertyOptional({ type: Boolean, default: true, description: 'Start and end of every word.' })
  @MayBeAbsent()
  @IsBoolean({ message: 'must be true or false' })
  word_timestamps?: boolean;

  @ApiPropertyOptional({ type: Boolean, default: true, description: 'Who speaks when.' })
  @MayBeAbsent()
  @IsBoolean({ message: 'must be true or false' })
  speaker_labels?: boolean;

  @ApiPropertyOptional({ type: Boolean, description: 'Another name of `speaker_labels`.' })
  @MayBeAbsent()
  @IsBoolean({ message: 'must be true or false' })
  diarize?: boolean;

  @ApiPropertyOptional({ type: Boolean, default: true, description: 'Punctuation and sentences.' })
  @MayBeAbsent()
  @IsBoolean({ message: 'must be true or false' })
  nltk?: boolean;

  @ApiPropertyOptional({ enum: TIERS, default: 'standard', description: 'The only tier available.' })
  @MayBeAbsent()
  @IsIn(TIERS, { message: `must be one of: ${TIERS.join(', ')}` })
  tier?: string;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    maxItems: MAX_TERMS,
    description: 'Terms to listen for.',
  })
  @MayBeNull()
  @IsPlainText({ each: true, message: 'must hold terms without control characters' })
  @MaxLength(MAX_TERM_LENGTH, {
    each: true,
    message: `must hold terms of at most ${MAX_TERM_LENGTH} characters`,
  })
  @IsNotEmpty({ each: true, message: 'must hold no empty term' })
  @IsString({ each: true, message: 'must hold strings only' })
  @ArrayMaxSize(MAX_TERMS, { message: `must hold at most ${MAX_TERMS} terms` })
  @IsArray({ message: 'must be an array of strings' })
  custom_vocabulary?: string[] | null;

  @ApiPropertyOptional({ type: String, format: 'uri', nullable: true, description: 'http or https webhook.' })
  @MayBeNull()
  @IsUrl(
    { protocols: ['http', 'https'], require_protocol: true, require_tld: false },
    { message: 'must be an http or https address' },
  )
  @MaxLength(2_048, { message: 'must be at most 2048 characters' })
  @IsPlainText()
  callback_url?: string | null;
}
