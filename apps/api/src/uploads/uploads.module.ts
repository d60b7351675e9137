import { Module } from '@nestjs/common';
import { JobRequestCheck } from '../jobs/job-request-check.js';
import { ResultsModule } from '../results/results.module.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsService } from './uploads.service.js';

@Module({
  imports: [ResultsModule],
  controllers: [UploadsController],
  providers: [UploadsService, JobRequestCheck],
})
export class UploadsModule {}
