import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { ServiceError } from '@app/errors';
import { Body, Controller, Get, Param, type PipeTransform, Put } from '@nestjs/common';
import { RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { CorrectionListResponse, CorrectTranscriptSegmentDto } from './corrections.dto.js';
import { SegmentCorrectionsService } from './corrections.service.js';

/** What is no number is the index of nothing. */
const SEGMENT_PIPE: PipeTransform<string, number> = {
  transform(text) {
    if (!/^\d{1,7}$/.test(text)) throw new ServiceError('no_such_resource');
    return Number(text);
  },
};

@UseConsoleGuardsAndTag('jobs')
@Controller('console/api/jobs/:job_id/corrections')
export class SegmentCorrectionsController {
  constructor(private readonly corrections: SegmentCorrectionsService) {}

  @Get()
  @RateLimited('jobs.transcript')
  @RequireAccess('jobs.read')
  @ApiConsoleRoute('listCorrections', 'List corrections of a transcript', CorrectionListResponse)
  list(@CurrentCaller() caller: Caller, @Param('job_id') jobId: string): Promise<CorrectionListResponse> {
    return this.corrections.list(caller, jobId);
  }

  @Put(':segment')
  @RateLimited('jobs.speakers')
  @RequireAccess('jobs.write')
  @ApiConsoleRoute('saveCorrection', 'Correct the text of a segment')
  save(
    @CurrentCaller() caller: Caller,
    @Param('job_id') jobId: string,
    @Param('segment', SEGMENT_PIPE) segment: number,
    @Body() correction: CorrectTranscriptSegmentDto,
  ): Promise<void> {
    return this.corrections.save(caller, jobId, segment, correction);
  }
}
