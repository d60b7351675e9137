import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsUrl, IsUUID, Max, MaxLength, Min } from 'class-validator';
import { JobOptionsDto } from '../jobs/job-options.dto.js';
import { IsPlainText } from '../validation/is-plain-text.js';
import { MayBeNull } from '../validation/presence.js';

export class CreateUploadDto extends JobOptionsDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'Bytes. Exactly one of file_size and audio_url.',
  })
  @MayBeNull()
  @Max(Number.MAX_SAFE_INTEGER, { message: 'is no file size' })
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be a whole number of bytes' })
  file_size?: number | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uri',
    description: 'Where the service fetches the audio itself.',
  })
  @MayBeNull()
  @IsUrl(
    { protocols: ['http', 'https'], require_protocol: true, require_tld: false },
    { message: 'must be an http or https address' },
  )
  @MaxLength(4_096, { message: 'must be at most 4096 characters' })
  @IsPlainText()
  audio_url?: string | null;
}

/** The body of every route that acts on one job. */
export class JobIdDto {
  /** Of any version: one that was never given out is not found, not malformed. */
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID('loose', { message: 'must be a UUID' })
  job_id: string;
}

export class UploadResponse {
  @ApiProperty({ type: String, format: 'uuid' })
  job_id: string;

  @ApiProperty({ type: String, format: 'uri', nullable: true, description: 'null when audio_url was given.' })
  upload_url: string | null;

  @ApiProperty({ type: String, format: 'uri', description: 'Where the finished transcript is readable.' })
  download_url: string;

  @ApiProperty({ type: String, description: 'The Content-Type that the PUT must carry.' })
  content_type: string;

  @ApiProperty({ type: 'integer', description: 'Seconds until the presigned addresses expire.' })
  expires_in: number;
}

export class StatusResponse {
  @ApiProperty({ type: String })
  status: string;
}
