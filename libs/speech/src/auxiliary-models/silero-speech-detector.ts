import type { InstalledModel } from '../models/installed-model.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import type { SampleRange, SpeechDetector } from '../vad/model-frame-classifier.js';
import { SAMPLE_RATE } from '../wav/pcm.js';
import { fractionSetting, LOADER_DEFAULTS, modelFile, requestModelHost } from './sherpa-model.js';

/** Likelihood from which on a window of 32 ms is speech; `settings.threshold` of the manifest says otherwise. */
const THRESHOLD = 0.5;
/** Shorter speech is a click, a shorter gap belongs to the speech around it. As for speech found by its level. */
const MIN_DURATIONS = { minSpeechDuration: 0.06, minSilenceDuration: 0.16 };
/** No stretch is cut for its length: chunks are cut in pauses later on. */
const MAX_SPEECH_SECONDS = 3600;

/** Silero's model of voice activity, fourth or fifth version. */
export class SileroSpeechDetector implements SpeechDetector {
  private readonly loaderConfig: object;

  /** Throws InvalidModelError. */
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
    const { model, hosts, loaderConfig: loading } = this;
    return requestModelHost(hosts, 'detectSpeech', { model: loading, samples }, { model, signal });
  }
}
