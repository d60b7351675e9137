import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsInt, IsOptional, MaxLength, Min } from 'class-validator';
import { JobOptionsDto } from '../jobs/job-options.dto.js';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';
import { IsPrintableText } from '../validation/is-printable-text.js';
import { IsHttpUrl } from '../validation/is-http-url.js';

@ApiSchema({ name: 'CreateUpload' })
export class CreateUploadDto extends JobOptionsDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    nullable: true,
    description:
      'Bytes of the file. An upload with fewer bytes cannot be completed; more are allowed, up to twice as many or 64 MiB more, within the limit of the route.',
  })
  @IsOptional()
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be a whole number of bytes' })
  file_size?: number | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uri',
    maxLength: 4_096,
    nullable: true,
    description:
      'http or https URL from which the service fetches the audio. Must resolve to public addresses only.',
  })
  @IsOptional()
  @IsHttpUrl()
  @MaxLength(4_096, { message: 'must be at most 4096 characters' })
  @IsPrintableText()
  audio_url?: string | null;
}

export class UploadResponse {
  @ApiProperty({ type: String, format: 'uuid', examples: [EXAMPLE_VALUES.jobId] })
  job_id: string;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'Signed URL for the PUT of the audio; `null` with `audio_url`.',
    examples: [EXAMPLE_VALUES.uploadUrl],
  })
  upload_url: string | null;

  @ApiProperty({
    type: String,
    format: 'uri',
    description: 'Signed URL of the transcript; 404 until the job has completed.',
    examples: [EXAMPLE_VALUES.downloadUrl],
  })
  download_url: string;

  @ApiProperty({
    type: String,
    description: 'The exact `Content-Type` of the PUT; the URL is signed for it.',
    examples: ['application/octet-stream'],
  })
  content_type: string;

  @ApiProperty({
    type: 'integer',
    description: 'Seconds until the upload URL expires; `download_url` has a longer lifetime by default.',
    examples: [3_600],
  })
  expires_in: number;
}
