import { Module } from '@nestjs/common';
import { ResultsModule } from '../results/results.module.js';
import { JobsController } from './jobs.controller.js';

@Module({ imports: [ResultsModule], controllers: [JobsController] })
export class JobRoutesModule {}
