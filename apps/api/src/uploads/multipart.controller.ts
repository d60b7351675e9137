import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type JobActionStatusResponse, JobIdDto } from '../jobs/job-actions.dto.js';
import { ApiIdempotencyKeyHeader } from '../idempotency/idempotency.openapi.js';
import { IdempotencyService } from '../idempotency/idempotency.service.js';
import {
  CurrentScopedIdempotencyKey,
  type ScopedIdempotencyKey,
} from '../idempotency/scoped-idempotency-key.js';
import { MultipartUploadCreationService } from './multipart-creation.service.js';
import { MultipartCompletionAndAbortService } from './multipart-completion-and-abort.service.js';
import {
  CompleteMultipartUploadDto,
  CreateJobWithMultipartUploadDto,
  type MultipartUploadResponse,
} from './multipart.dto.js';
import {
  ApiAbortMultipartUpload,
  ApiCompleteMultipartUpload,
  ApiCreateMultipartUpload,
} from './multipart.openapi.js';

@ApiTags('uploads')
@Controller('api/v1/upload/multipart')
export class MultipartUploadsController {
  constructor(
    private readonly creation: MultipartUploadCreationService,
    private readonly completion: MultipartCompletionAndAbortService,
    private readonly idempotency: IdempotencyService,
  ) {}

  @Post('create')
  @RateLimited('multipart.create')
  @HttpCode(200)
  @ApiCreateMultipartUpload()
  @ApiIdempotencyKeyHeader()
  createUpload(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateJobWithMultipartUploadDto,
    @CurrentScopedIdempotencyKey() idempotentRequest: ScopedIdempotencyKey | null,
  ): Promise<MultipartUploadResponse> {
    return this.idempotency.executeOnce(idempotentRequest, body, (saveResponse) =>
      this.creation.createUpload(caller, body, saveResponse),
    );
  }

  @Post('complete')
  @RateLimited('multipart.complete')
  @HttpCode(200)
  @ApiCompleteMultipartUpload()
  completeUpload(
    @CurrentCaller() caller: Caller,
    @Body() body: CompleteMultipartUploadDto,
  ): Promise<JobActionStatusResponse> {
    return this.completion.completeUpload(caller, body);
  }

  @Post('abort')
  @RateLimited('multipart.abort')
  @HttpCode(200)
  @ApiAbortMultipartUpload()
  abortUpload(
    @CurrentCaller() caller: Caller,
    @Body() { job_id }: JobIdDto,
  ): Promise<JobActionStatusResponse> {
    return this.completion.abortUpload(caller, job_id);
  }
}
