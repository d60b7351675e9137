import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiIdempotencyKeyHeader } from '../idempotency/idempotency.openapi.js';
import { IdempotencyService } from '../idempotency/idempotency.service.js';
import { IdempotencyKeyHeader, type IdempotentRequest } from '../idempotency/idempotent-request.js';
import { CreateUploadDto, JobIdDto, type StatusResponse, type UploadResponse } from './upload.dto.js';
import { ApiCompleteUpload, ApiCreateUpload, ApiKeepUploadAlive } from './uploads.openapi.js';
import { UploadsService } from './uploads.service.js';

@ApiTags('uploads')
@Controller('api/v1/upload')
export class UploadsController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** Creates a job and a signed URL for the PUT of its audio. */
  @Post()
  @RateLimited('upload')
  @HttpCode(200)
  @ApiCreateUpload()
  @ApiIdempotencyKeyHeader()
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateUploadDto,
    @IdempotencyKeyHeader() idempotentRequest: IdempotentRequest | null,
  ): Promise<UploadResponse> {
    return this.idempotency.executeOnce(idempotentRequest, body, (saveResponse) =>
      this.uploads.create(caller, body, saveResponse),
    );
  }

  /** Keeps a pending upload alive. */
  @Post('progress')
  @RateLimited('upload.progress')
  @HttpCode(200)
  @ApiKeepUploadAlive()
  progress(@CurrentCaller() caller: Caller, @Body() { job_id }: JobIdDto): Promise<StatusResponse> {
    return this.uploads.progress(caller, job_id);
  }

  /** Queues the job after the PUT. */
  @Post('complete')
  @RateLimited('upload.complete')
  @HttpCode(200)
  @ApiCompleteUpload()
  complete(@CurrentCaller() caller: Caller, @Body() { job_id }: JobIdDto): Promise<StatusResponse> {
    return this.uploads.complete(caller, job_id);
  }
}
