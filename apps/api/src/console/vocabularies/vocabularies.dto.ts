import {
  MAX_VOCABULARY_NAME_LENGTH,
  MAX_VOCABULARY_TERM_LENGTH,
  MAX_VOCABULARY_TERMS,
  type VocabularySummary,
} from '@app/jobs';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional, IsString } from 'class-validator';
import { ApiNumberProperty, ApiTextProperty, ApiTimeProperty } from '../console.openapi.js';

const TERMS_SCHEMA = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: MAX_VOCABULARY_TERM_LENGTH },
  minItems: 1,
  maxItems: MAX_VOCABULARY_TERMS,
} as const;

@ApiSchema({ name: 'VocabularyContent' })
export class VocabularyDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_VOCABULARY_NAME_LENGTH })
  @IsString({ message: 'must be text' })
  name: string;

  @ApiProperty(TERMS_SCHEMA)
  @IsString({ each: true, message: 'must hold texts only' })
  @ArrayMaxSize(MAX_VOCABULARY_TERMS, { message: `must hold at most ${MAX_VOCABULARY_TERMS} terms` })
  @IsArray({ message: 'must be a list of terms' })
  terms: string[];
}

@ApiSchema({ name: 'ChangeVocabulary' })
export class ChangeVocabularyDto extends VocabularyDto {
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description:
      'The `updated_at` of the vocabulary that was seen before. If it has been changed since, nothing is saved (`vocabulary_changed`). Without this field, any content is replaced.',
  })
  @IsString({ message: 'must be text' })
  @IsOptional()
  replaces?: string;
}

export class VocabularySummaryResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiTextProperty()
  name: string;

  @ApiNumberProperty()
  term_count: number;

  @ApiTimeProperty()
  updated_at: Date;
}

export class VocabularyListResponse {
  @ApiProperty({ type: [VocabularySummaryResponse], description: 'By name.' })
  vocabularies: VocabularySummaryResponse[];
}

export class VocabularyResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiTextProperty()
  name: string;

  @ApiProperty({ type: [String] })
  terms: string[];

  @ApiTimeProperty()
  updated_at: Date;
}

export class NewVocabularyResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;
}

export function toVocabularySummaryResponse({
  id,
  name,
  termCount,
  updatedAt,
}: VocabularySummary): VocabularySummaryResponse {
  return { id, name, term_count: termCount, updated_at: updatedAt };
}
