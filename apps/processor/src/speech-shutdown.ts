import type { AuxiliaryModels, SpeechEngine } from '@app/speech';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AUXILIARY_MODELS, SPEECH_ENGINE } from './processor-options.js';

/** Stops the processes of engine and models after the last stage. */
@Injectable()
export class SpeechShutdown implements OnApplicationShutdown {
  constructor(
    @Inject(SPEECH_ENGINE) private readonly engine: SpeechEngine,
    @Inject(AUXILIARY_MODELS) private readonly auxiliaryModels: AuxiliaryModels,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.engine.close(), this.auxiliaryModels.close()]);
  }
}
