import { type Caller, CurrentCaller, Limited } from '@app/auth';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CreateUploadDto, JobIdDto, type StatusResponse, type UploadResponse } from './upload.dto.js';
import { ApiCompleteUpload, ApiCreateUpload, ApiKeepUploadAlive } from './uploads.openapi.js';
import { UploadsService } from './uploads.service.js';

@ApiTags('uploads')
@Controller('api/v1/upload')
export class UploadsController {
  constructor(@Inject(UploadsService) private readonly uploads: UploadsService) {}

  /** Creates a job and the address its audio is PUT to. */
  @Post()
  @Limited('upload')
  @HttpCode(200)
  @ApiCreateUpload()
  create(@CurrentCaller() caller: Caller, @Body() body: CreateUploadDto): Promise<UploadResponse> {
    return this.uploads.create(caller, body);
  }

  /** Keeps a pending upload alive. */
  @Post('progress')
  @Limited('upload.progress')
  @HttpCode(200)
  @ApiKeepUploadAlive()
  progress(@CurrentCaller() caller: Caller, @Body() { job_id }: JobIdDto): Promise<StatusResponse> {
    return this.uploads.progress(caller, job_id);
  }

  /** Queues the job after the PUT. */
  @Post('complete')
  @Limited('upload.complete')
  @HttpCode(200)
  @ApiCompleteUpload()
  complete(@CurrentCaller() caller: Caller, @Body() { job_id }: JobIdDto): Promise<StatusResponse> {
    return this.uploads.complete(caller, job_id);
  }
}
