import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { JobRequestValidator } from '../jobs/job-request-validator.js';
import { ResultsModule } from '../results/results.module.js';
import { MultipartCreationService } from './multipart-creation.service.js';
import { MultipartCompletionService } from './multipart-completion.service.js';
import { MultipartController } from './multipart.controller.js';
import { SingleUploadsController } from './single-uploads.controller.js';
import { PresignedUploadsService } from './single-uploads.service.js';

@Module({
  imports: [ResultsModule, IdempotencyModule],
  controllers: [SingleUploadsController, MultipartController],
  providers: [
    PresignedUploadsService,
    MultipartCreationService,
    MultipartCompletionService,
    JobRequestValidator,
  ],
  exports: [PresignedUploadsService, MultipartCreationService, MultipartCompletionService],
})
export class UploadsModule {}
