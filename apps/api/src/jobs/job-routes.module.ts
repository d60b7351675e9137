import { Module } from '@nestjs/common';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { SpeakersController } from '../speakers/speakers.controller.js';
import { SpeakersService } from '../speakers/speakers.service.js';
import { JobCancellationAndFailureCheckService } from './job-cancellation-and-failure-check.service.js';
import { JobDeletionService } from './job-deletion.service.js';
import { JobsController } from './jobs.controller.js';

@Module({
  imports: [TranscriptsModule],
  controllers: [JobsController, SpeakersController],
  providers: [JobCancellationAndFailureCheckService, JobDeletionService, SpeakersService],
  exports: [JobCancellationAndFailureCheckService, JobDeletionService, SpeakersService],
})
export class JobRoutesModule {}
