import { type Caller, CurrentCaller, RateLimited } from '@app/auth';
import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NameSpeakersDto, type SpeakersResponse } from './speakers.dto.js';
import { ApiNameSpeakers } from './speakers.openapi.js';
import { SpeakersService } from './speakers.service.js';

@ApiTags('jobs')
@Controller('api/v1/jobs')
export class SpeakersController {
  constructor(private readonly speakers: SpeakersService) {}

  @Patch(':job_id/speakers')
  @RateLimited('jobs.speakers')
  @ApiNameSpeakers()
  nameSpeakers(
    @CurrentCaller() caller: Caller,
    @Param('job_id') jobId: string,
    @Body() body: NameSpeakersDto,
  ): Promise<SpeakersResponse> {
    return this.speakers.nameSpeakers(caller, jobId, body);
  }
}
