import { IdempotencyModule } from '../../idempotency/idempotency.module.js';
import { JobRoutesModule } from '../../jobs/job-routes.module.js';
import { ResultsModule } from '../../results/results.module.js';
import { JobStreamModule } from '../../streaming/job-stream.module.js';
import { TranscribeModule } from '../../transcribe/transcribe.module.js';
import { UploadsModule } from '../../uploads/uploads.module.js';
import { CorrectionsController } from './corrections.controller.js';
import { CorrectionsService } from './corrections.service.js';
import { ConsoleJobsController } from './console-jobs.controller.js';
import {
  ConsoleJobStreamController,
  ConsoleMultipartController,
  ConsoleSpeakersController,
  ConsoleTranscriptController,
  ConsoleUploadsController,
} from './inherited.controllers.js';
import { JobDeletionService } from './job-deletion.service.js';
import { SampleController } from './sample.controller.js';

export const CONSOLE_JOB_MODULES = [
  IdempotencyModule,
  JobRoutesModule,
  JobStreamModule,
  ResultsModule,
  TranscribeModule,
  UploadsModule,
];

export const CONSOLE_JOB_CONTROLLERS = [
  ConsoleJobsController,
  ConsoleJobStreamController,
  ConsoleMultipartController,
  ConsoleSpeakersController,
  ConsoleTranscriptController,
  ConsoleUploadsController,
  CorrectionsController,
  SampleController,
];

export const CONSOLE_JOB_PROVIDERS = [CorrectionsService, JobDeletionService];
