import { Module } from '@nestjs/common';
import { ResultsModule } from '../results/results.module.js';
import { JobActionsController } from './job-actions.controller.js';
import { JobActionsService } from './job-actions.service.js';
import { JobListController } from './job-list.controller.js';
import { JobsController } from './jobs.controller.js';

@Module({
  imports: [ResultsModule],
  controllers: [JobListController, JobsController, JobActionsController],
  providers: [JobActionsService],
})
export class JobRoutesModule {}
