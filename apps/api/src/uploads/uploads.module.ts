import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { JobRequestValidator } from '../jobs/job-request-validator.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { MultipartUploadCreationService } from './multipart-creation.service.js';
import { MultipartCompletionAndAbortService } from './multipart-completion-and-abort.service.js';
import { MultipartUploadsController } from './multipart.controller.js';
import { SingleUploadsController } from './single-uploads.controller.js';
import { SingleUploadsService } from './single-uploads.service.js';

@Module({
  imports: [TranscriptsModule, IdempotencyModule],
  controllers: [SingleUploadsController, MultipartUploadsController],
  providers: [
    SingleUploadsService,
    MultipartUploadCreationService,
    MultipartCompletionAndAbortService,
    JobRequestValidator,
  ],
  exports: [SingleUploadsService, MultipartUploadCreationService, MultipartCompletionAndAbortService],
})
export class UploadsModule {}
