import { Module } from '@nestjs/common';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { SpeakersController } from '../speakers/speakers.controller.js';
import { SpeakersService } from '../speakers/speakers.service.js';
import { JobCancellationService } from './job-cancellation.service.js';
import { JobDeletionService } from './job-deletion.service.js';
import { JobFailureCheckService } from './job-failure-check.service.js';
import { JobsController } from './jobs.controller.js';

@Module({
  imports: [TranscriptsModule],
  controllers: [JobsController, SpeakersController],
  providers: [JobCancellationService, JobDeletionService, JobFailureCheckService, SpeakersService],
  exports: [JobCancellationService, JobDeletionService, SpeakersService],
})
export class JobRoutesModule {}
