import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsInt, IsOptional, Min } from 'class-validator';
import { JobIdDto } from '../jobs/job-actions.dto.js';
import { JobOptionsDto } from '../jobs/job-options.dto.js';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';
import { MAX_ETAG_LENGTH } from './multipart-parts.js';
import { MAX_PARTS } from './multipart-plan.js';

@ApiSchema({ name: 'CreateMultipart' })
export class CreateJobWithMultipartUploadDto extends JobOptionsDto {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Bytes. Used only to plan the parts.',
    examples: [1_500_000_000],
  })
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be a whole number of bytes' })
  file_size: number;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    description:
      'Bytes per part, 16 MiB by default; clamped to 5 MiB to 5 GiB and raised for very large files.',
  })
  @IsOptional()
  @IsInt({ message: 'must be a whole number of bytes' })
  part_size?: number | null;
}

@ApiSchema({ name: 'ReportedPart' })
export class ReportedPartDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_PARTS, examples: [1] })
  part_number: number;

  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_ETAG_LENGTH,
    description: 'The `ETag` header of the response to the PUT of the part.',
    examples: [EXAMPLE_VALUES.etag],
  })
  etag: string;
}

@ApiSchema({ name: 'CompleteMultipart' })
export class CompleteMultipartUploadDto extends JobIdDto {
  /** `parseReportedParts` validates the items: decorators are too slow for ten thousand. */
  @ApiProperty({ type: [ReportedPartDto], minItems: 1, maxItems: MAX_PARTS })
  @ArrayMaxSize(MAX_PARTS, { message: `must hold at most ${MAX_PARTS} parts` })
  @ArrayNotEmpty({ message: 'must hold at least one part' })
  @IsArray({ message: 'must be an array of parts' })
  parts: unknown[];
}

export class PartUrlResponse {
  @ApiProperty({ type: 'integer', examples: [1] })
  part_number: number;

  @ApiProperty({
    type: String,
    format: 'uri',
    description: 'Signed URL for the PUT of the part. Keep the `ETag` header of the response.',
    examples: [EXAMPLE_VALUES.partUrl],
  })
  url: string;
}

@ApiSchema({ name: 'MultipartResponse' })
export class MultipartUploadResponse {
  @ApiProperty({ type: String, format: 'uuid', examples: [EXAMPLE_VALUES.jobId] })
  job_id: string;

  @ApiProperty({
    type: String,
    description: 'The upload, as the object store names it.',
    examples: ['2~aXk3'],
  })
  upload_id: string;

  @ApiProperty({
    type: String,
    format: 'uri',
    description: 'Signed URL of the transcript; 404 until the job has completed.',
    examples: [EXAMPLE_VALUES.downloadUrl],
  })
  download_url: string;

  @ApiProperty({ type: 'integer', description: 'Bytes of every part but the last.', examples: [16_777_216] })
  part_size: number;

  @ApiProperty({ type: 'integer', description: 'How many parts there are.', examples: [90] })
  num_parts: number;

  @ApiProperty({ type: [PartUrlResponse] })
  parts: PartUrlResponse[];

  @ApiProperty({
    type: 'integer',
    description:
      'Seconds until the upload URLs of the parts expire; `download_url` has a longer lifetime by default.',
    examples: [86_400],
  })
  expires_in: number;
}
