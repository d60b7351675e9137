import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { JobRequestValidator } from '../jobs/job-request-validator.js';
import { ResultsModule } from '../results/results.module.js';
import { MultipartCreateService } from './multipart-create.service.js';
import { MultipartCompletionService } from './multipart-completion.service.js';
import { MultipartController } from './multipart.controller.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsService } from './uploads.service.js';

@Module({
  imports: [ResultsModule, IdempotencyModule],
  controllers: [UploadsController, MultipartController],
  providers: [UploadsService, MultipartCreateService, MultipartCompletionService, JobRequestValidator],
})
export class UploadsModule {}
