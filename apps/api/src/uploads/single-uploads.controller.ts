import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiIdempotencyKeyHeader } from '../idempotency/idempotency.openapi.js';
import { IdempotencyService } from '../idempotency/idempotency.service.js';
import {
  CurrentScopedIdempotencyKey,
  type ScopedIdempotencyKey,
} from '../idempotency/scoped-idempotency-key.js';
import { type JobActionStatusResponse, JobIdDto } from '../jobs/job-actions.dto.js';
import { CreateUploadDto, type UploadResponse } from './upload.dto.js';
import { ApiCompleteUpload, ApiCreateUpload, ApiExtendUploadSession } from './single-uploads.openapi.js';
import { SingleUploadsService } from './single-uploads.service.js';

@ApiTags('uploads')
@Controller('api/v1/upload')
export class SingleUploadsController {
  constructor(
    private readonly uploads: SingleUploadsService,
    private readonly idempotency: IdempotencyService,
  ) {}

  @Post()
  @RateLimited('upload')
  @HttpCode(200)
  @ApiCreateUpload()
  @ApiIdempotencyKeyHeader()
  createUpload(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateUploadDto,
    @CurrentScopedIdempotencyKey() idempotentRequest: ScopedIdempotencyKey | null,
  ): Promise<UploadResponse> {
    return this.idempotency.executeOnce(idempotentRequest, body, (saveResponse) =>
      this.uploads.createUpload(caller, body, saveResponse),
    );
  }

  @Post('progress')
  @RateLimited('upload.progress')
  @HttpCode(200)
  @ApiExtendUploadSession()
  extendUploadSession(
    @CurrentCaller() caller: Caller,
    @Body() { job_id }: JobIdDto,
  ): Promise<JobActionStatusResponse> {
    return this.uploads.extendUploadSession(caller, job_id);
  }

  @Post('complete')
  @RateLimited('upload.complete')
  @HttpCode(200)
  @ApiCompleteUpload()
  completeUpload(
    @CurrentCaller() caller: Caller,
    @Body() { job_id }: JobIdDto,
  ): Promise<JobActionStatusResponse> {
    return this.uploads.completeUpload(caller, job_id);
  }
}
