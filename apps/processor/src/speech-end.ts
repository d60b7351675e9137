import type { SpeechAids, SpeechEngine } from '@app/speech';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SPEECH_AIDS, SPEECH_ENGINE } from './processor-options.js';

/** Ends the processes of engine and models, once no stage is running any more. */
@Injectable()
export class SpeechEnd implements OnApplicationShutdown {
  constructor(
    @Inject(SPEECH_ENGINE) private readonly engine: SpeechEngine,
    @Inject(SPEECH_AIDS) private readonly aids: SpeechAids,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.engine.close(), this.aids.close()]);
  }
}
