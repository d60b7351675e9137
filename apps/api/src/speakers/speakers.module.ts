import { Module } from '@nestjs/common';
import { ResultsModule } from '../results/results.module.js';
import { SpeakersController } from './speakers.controller.js';
import { SpeakersService } from './speakers.service.js';

@Module({ imports: [ResultsModule], controllers: [SpeakersController], providers: [SpeakersService] })
export class SpeakersModule {}
