import { Module } from '@nestjs/common';
import { ResultsModule } from '../results/results.module.js';
import { SpeakersController } from '../speakers/speakers.controller.js';
import { SpeakersService } from '../speakers/speakers.service.js';
import { JobActionsService } from './job-actions.service.js';
import { JobsController } from './jobs.controller.js';

@Module({
  imports: [ResultsModule],
  controllers: [JobsController, SpeakersController],
  providers: [JobActionsService, SpeakersService],
  exports: [JobActionsService, SpeakersService],
})
export class JobRoutesModule {}
