import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiIdempotencyKeyHeader } from '../idempotency/idempotency.openapi.js';
import { IdempotencyService } from '../idempotency/idempotency.service.js';
import { IdempotencyKeyHeader, type IdempotentRequest } from '../idempotency/idempotent-request.js';
import { MultipartCreateService } from './multipart-create.service.js';
import { MultipartCompletionService } from './multipart-completion.service.js';
import { CompleteMultipartDto, CreateMultipartDto, type MultipartResponse } from './multipart.dto.js';
import { ApiAbortMultipart, ApiCompleteMultipart, ApiCreateMultipart } from './multipart.openapi.js';
import { JobIdDto, type StatusResponse } from './upload.dto.js';

@ApiTags('uploads')
@Controller('api/v1/upload/multipart')
export class MultipartController {
  constructor(
    private readonly creation: MultipartCreateService,
    private readonly completion: MultipartCompletionService,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** Creates a job and a signed URL for the PUT of each part. */
  @Post('create')
  @RateLimited('multipart.create')
  @HttpCode(200)
  @ApiCreateMultipart()
  @ApiIdempotencyKeyHeader()
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateMultipartDto,
    @IdempotencyKeyHeader() idempotentRequest: IdempotentRequest | null,
  ): Promise<MultipartResponse> {
    return this.idempotency.executeOnce(idempotentRequest, body, (saveResponse) =>
      this.creation.create(caller, body, saveResponse),
    );
  }

  /** Puts the parts together and queues the job. */
  @Post('complete')
  @RateLimited('multipart.complete')
  @HttpCode(200)
  @ApiCompleteMultipart()
  complete(@CurrentCaller() caller: Caller, @Body() body: CompleteMultipartDto): Promise<StatusResponse> {
    return this.completion.complete(caller, body);
  }

  /** Discards an upload that is in progress, and ends its job. */
  @Post('abort')
  @RateLimited('multipart.abort')
  @HttpCode(200)
  @ApiAbortMultipart()
  abort(@CurrentCaller() caller: Caller, @Body() { job_id }: JobIdDto): Promise<StatusResponse> {
    return this.completion.abort(caller, job_id);
  }
}
