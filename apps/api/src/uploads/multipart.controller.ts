import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiIdempotencyKeyHeader } from '../idempotency/idempotency.openapi.js';
import { IdempotencyService } from '../idempotency/idempotency.service.js';
import { CurrentIdempotentRequest, type IdempotentRequest } from '../idempotency/idempotent-request.js';
import { MultipartCreationService } from './multipart-creation.service.js';
import { MultipartCompletionService } from './multipart-completion.service.js';
import { CompleteMultipartDto, CreateMultipartDto, type MultipartResponse } from './multipart.dto.js';
import { ApiAbortMultipart, ApiCompleteMultipart, ApiCreateMultipart } from './multipart.openapi.js';
import { JobIdDto, type StatusResponse } from './upload.dto.js';

@ApiTags('uploads')
@Controller('api/v1/upload/multipart')
export class MultipartController {
  constructor(
    private readonly creation: MultipartCreationService,
    private readonly completion: MultipartCompletionService,
    private readonly idempotency: IdempotencyService,
  ) {}

  @Post('create')
  @RateLimited('multipart.create')
  @HttpCode(200)
  @ApiCreateMultipart()
  @ApiIdempotencyKeyHeader()
  createUpload(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateMultipartDto,
    @CurrentIdempotentRequest() idempotentRequest: IdempotentRequest | null,
  ): Promise<MultipartResponse> {
    return this.idempotency.executeOnce(idempotentRequest, body, (saveResponse) =>
      this.creation.createUpload(caller, body, saveResponse),
    );
  }

  @Post('complete')
  @RateLimited('multipart.complete')
  @HttpCode(200)
  @ApiCompleteMultipart()
  completeUpload(
    @CurrentCaller() caller: Caller,
    @Body() body: CompleteMultipartDto,
  ): Promise<StatusResponse> {
    return this.completion.completeUpload(caller, body);
  }

  @Post('abort')
  @RateLimited('multipart.abort')
  @HttpCode(200)
  @ApiAbortMultipart()
  abortUpload(@CurrentCaller() caller: Caller, @Body() { job_id }: JobIdDto): Promise<StatusResponse> {
    return this.completion.abortUpload(caller, job_id);
  }
}
