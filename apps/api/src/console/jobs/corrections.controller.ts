import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { ServiceError } from '@app/errors';
import { Body, Controller, Delete, Get, Param, type PipeTransform, Put } from '@nestjs/common';
import { RequireAccess } from '../console-access.js';
import { ConsoleController } from '../console-controller.js';
import { ConsoleRoute } from '../console.openapi.js';
import { CorrectionListResponse, CorrectSegmentDto } from './corrections.dto.js';
import { CorrectionsService } from './corrections.service.js';

/** What is no number is the index of nothing. */
const SEGMENT_PIPE: PipeTransform<string, number> = {
  transform(text) {
    if (!/^\d{1,7}$/.test(text)) throw new ServiceError('no_such_resource');
    return Number(text);
  },
};

@ConsoleController('jobs')
@Controller('console/api/jobs/:job_id/corrections')
export class CorrectionsController {
  constructor(private readonly corrections: CorrectionsService) {}

  @Get()
  @RateLimited('jobs.transcript')
  @RequireAccess('jobs.read')
  @ConsoleRoute('listCorrections', 'List corrections of a transcript', CorrectionListResponse)
  list(@CurrentCaller() caller: Caller, @Param('job_id') jobId: string): Promise<CorrectionListResponse> {
    return this.corrections.list(caller, jobId);
  }

  @Put(':segment')
  @RateLimited('jobs.speakers')
  @RequireAccess('jobs.write')
  @ConsoleRoute('saveCorrection', 'Correct the text of a segment')
  save(
    @CurrentCaller() caller: Caller,
    @Param('job_id') jobId: string,
    @Param('segment', SEGMENT_PIPE) segment: number,
    @Body() { text }: CorrectSegmentDto,
  ): Promise<void> {
    return this.corrections.save(caller, jobId, segment, text);
  }

  @Delete(':segment')
  @RateLimited('jobs.speakers')
  @RequireAccess('jobs.write')
  @ConsoleRoute('deleteCorrection', 'Show the original text of a segment again')
  delete(
    @CurrentCaller() caller: Caller,
    @Param('job_id') jobId: string,
    @Param('segment', SEGMENT_PIPE) segment: number,
  ): Promise<void> {
    return this.corrections.delete(caller, jobId, segment);
  }
}
