import { LOADER_DEFAULTS, modelFile, requestModelHost } from './sherpa-model.js';
import type { InstalledModel } from '../models/installed-model.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import { SAMPLE_RATE } from '../wav/pcm.js';

/** Identifies the spoken language with a neural model. */
export interface LanguageIdentifier {
  /**
   * @param samples 16 kHz mono; only the first 30 s are used
   * @returns BCP 47 tag; null when the model does not know
   * @throws AuxiliaryModelError; the reason of `signal` when it is aborted
   */
  identify(samples: Int16Array, signal: AbortSignal): Promise<string | null>;
}

/** Whisper reads 30 s; the library needs a little silence after the audio. */
const MAX_SAMPLES = 29 * SAMPLE_RATE;

/** Language identification by a multilingual Whisper. */
export class WhisperLanguageIdentifier implements LanguageIdentifier {
  private readonly loaderConfig: object;

  /** @throws InvalidModelError */
  constructor(
    private readonly model: InstalledModel,
    private readonly hosts: SherpaHostPool,
  ) {
    const whisper = { encoder: modelFile(model, 'encoder'), decoder: modelFile(model, 'decoder') };
    this.loaderConfig = { ...LOADER_DEFAULTS, whisper };
  }

  async identify(samples: Int16Array, signal: AbortSignal): Promise<string | null> {
    const { model } = this;
    const request = { model: this.loaderConfig, samples: samples.slice(0, MAX_SAMPLES) };
    const code = await requestModelHost(this.hosts, 'identifyLanguage', request, { model, signal });
    return code === '' ? null : code;
  }
}
