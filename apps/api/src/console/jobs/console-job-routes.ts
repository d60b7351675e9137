import { IdempotencyModule } from '../../idempotency/idempotency.module.js';
import { JobRoutesModule } from '../../jobs/job-routes.module.js';
import { TranscriptsModule } from '../../transcripts/transcripts.module.js';
import { JobStreamModule } from '../../streaming/job-stream.module.js';
import { TranscribeModule } from '../../transcribe/transcribe.module.js';
import { UploadsModule } from '../../uploads/uploads.module.js';
import { SegmentCorrectionsController } from './corrections.controller.js';
import { SegmentCorrectionsService } from './corrections.service.js';
import { ConsoleJobsController } from './console-jobs.controller.js';
import {
  ConsoleJobStreamController,
  ConsoleMultipartUploadsController,
  ConsoleSpeakersController,
  ConsoleTranscriptController,
  ConsoleSingleUploadsController,
} from './api-routes-with-session.controllers.js';
import { SampleRecordingController } from './sample-recording.controller.js';

export const CONSOLE_JOB_MODULES = [
  IdempotencyModule,
  JobRoutesModule,
  JobStreamModule,
  TranscriptsModule,
  TranscribeModule,
  UploadsModule,
];

export const CONSOLE_JOB_CONTROLLERS = [
  ConsoleJobsController,
  ConsoleJobStreamController,
  ConsoleMultipartUploadsController,
  ConsoleSpeakersController,
  ConsoleTranscriptController,
  ConsoleSingleUploadsController,
  SegmentCorrectionsController,
  SampleRecordingController,
];

export const CONSOLE_JOB_PROVIDERS = [SegmentCorrectionsService];
