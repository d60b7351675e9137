import { Module } from '@nestjs/common';
import { Downloads } from './downloads.js';
import { ResultsController } from './results.controller.js';

@Module({ controllers: [ResultsController], providers: [Downloads], exports: [Downloads] })
export class ResultsModule {}
