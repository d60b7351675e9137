import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { JobIdDto, type StatusResponse } from '../uploads/upload.dto.js';
import { CheckFailedDto, type CheckFailedResponse } from './job-actions.dto.js';
import { JobActionsService } from './job-actions.service.js';
import { ApiCancelJob, ApiCheckFailed } from './jobs.openapi.js';

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class JobActionsController {
  constructor(private readonly actions: JobActionsService) {}

  /** Ends a job with unprocessed audio; processed audio is charged. */
  @Post('cancel')
  @RateLimited('jobs.cancel')
  @HttpCode(200)
  @ApiCancelJob()
  cancel(@CurrentCaller() caller: Caller, @Body() { job_id }: JobIdDto): Promise<StatusResponse> {
    return this.actions.cancel(caller, job_id);
  }

  /** Which of many jobs have failed. */
  @Post('check-failed')
  @RateLimited('jobs.check-failed')
  @HttpCode(200)
  @ApiCheckFailed()
  checkFailed(@CurrentCaller() caller: Caller, @Body() body: CheckFailedDto): Promise<CheckFailedResponse> {
    return this.actions.checkFailed(caller, body);
  }
}
