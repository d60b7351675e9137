import type { InstalledModel } from '../models/installed-model.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import type { SampleRange, SpeechDetector } from '../vad/model-frame-classifier.js';
import { SAMPLE_RATE } from '../wav/pcm.js';
import { fractionSetting, LOADER_DEFAULTS, modelFile, requestModelHost } from './sherpa-model.js';

/** Minimum speech probability of a 32 ms window; `settings.threshold` in the manifest overrides it. */
const THRESHOLD = 0.5;
/** Seconds; the same as in `EnergyFrameClassifier`. */
const MIN_DURATIONS = { minSpeechDuration: 0.06, minSilenceDuration: 0.16 };
/** Effectively unlimited: chunks are split at pauses later. */
const MAX_SPEECH_SECONDS = 3600;

/** Silero voice activity detector, version 4 or 5. */
export class SileroSpeechDetector implements SpeechDetector {
  private readonly loaderConfig: object;

  /** @throws InvalidModelError */
  constructor(
    private readonly model: InstalledModel,
    private readonly hosts: SherpaHostPool,
  ) {
    const sileroVad = {
      model: modelFile(model, 'model'),
      threshold: fractionSetting(model, 'threshold', THRESHOLD),
      ...MIN_DURATIONS,
      maxSpeechDuration: MAX_SPEECH_SECONDS,
      windowSize: 512,
    };
    this.loaderConfig = { ...LOADER_DEFAULTS, sileroVad, sampleRate: SAMPLE_RATE };
  }

  detect(samples: Int16Array, signal: AbortSignal): Promise<SampleRange[]> {
    const { model, hosts, loaderConfig } = this;
    return requestModelHost(hosts, 'detectSpeech', { model: loaderConfig, samples }, { model, signal });
  }
}
