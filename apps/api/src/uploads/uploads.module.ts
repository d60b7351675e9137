import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { JobRequestCheck } from '../jobs/job-request-check.js';
import { ResultsModule } from '../results/results.module.js';
import { MultipartCreateService } from './multipart-create.service.js';
import { MultipartEndService } from './multipart-end.service.js';
import { MultipartController } from './multipart.controller.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsService } from './uploads.service.js';

@Module({
  imports: [ResultsModule, IdempotencyModule],
  controllers: [UploadsController, MultipartController],
  providers: [UploadsService, MultipartCreateService, MultipartEndService, JobRequestCheck],
})
export class UploadsModule {}
