import { type Caller, CurrentCaller, Limited } from '@app/auth';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { JobIdDto, StatusResponse } from '../uploads/upload.dto.js';
import { CheckFailedDto, CheckFailedResponse } from './job-actions.dto.js';
import { JobActionsService } from './job-actions.service.js';

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class JobActionsController {
  constructor(@Inject(JobActionsService) private readonly actions: JobActionsService) {}

  /** Ends a job of which something is still unprocessed; what was processed is charged. */
  @Post('cancel')
  @Limited('jobs.cancel')
  @HttpCode(200)
  @ApiOkResponse({ type: StatusResponse })
  cancel(@CurrentCaller() caller: Caller, @Body() { job_id }: JobIdDto): Promise<StatusResponse> {
    return this.actions.cancel(caller, job_id);
  }

  /** Which of many jobs have failed. */
  @Post('check-failed')
  @Limited('jobs.check-failed')
  @HttpCode(200)
  @ApiOkResponse({ type: CheckFailedResponse })
  checkFailed(@CurrentCaller() caller: Caller, @Body() body: CheckFailedDto): Promise<CheckFailedResponse> {
    return this.actions.checkFailed(caller, body);
  }
}
