import type { InstalledModel } from '../models/model.js';
import type { SherpaHosts } from '../sherpa/host/hosts.js';
import type { SampleSpan, SpeechFinder } from '../vad/speech-finder.js';
import { SAMPLE_RATE } from '../wav/sample-rate.js';
import { askHost } from './host-asker.js';
import { fileOf, LOADING, shareOf } from './model-parts.js';

/** Likelihood from which on a window of 32 ms is speech; `settings.threshold` of the manifest says otherwise. */
const THRESHOLD = 0.5;
/** Shorter speech is a click, a shorter gap belongs to the speech around it. As for speech found by its level. */
const SHORTEST = { minSpeechDuration: 0.06, minSilenceDuration: 0.16 };
/** No stretch is cut for its length: chunks are cut in pauses later on. */
const LONGEST_SECONDS = 3600;

/** Silero's model of voice activity, fourth or fifth version. */
export class SileroFinder implements SpeechFinder {
  private readonly loading: object;

  /** Throws ModelBroken. */
  constructor(
    private readonly model: InstalledModel,
    private readonly hosts: SherpaHosts,
  ) {
    const sileroVad = {
      model: fileOf(model, 'model'),
      threshold: shareOf(model, 'threshold', THRESHOLD),
      ...SHORTEST,
      maxSpeechDuration: LONGEST_SECONDS,
      windowSize: 512,
    };
    this.loading = { ...LOADING, sileroVad, sampleRate: SAMPLE_RATE };
  }

  find(samples: Int16Array, signal: AbortSignal): Promise<SampleSpan[]> {
    const { model, hosts, loading } = this;
    return askHost(hosts, 'findSpeech', { model: loading, samples }, { model, signal });
  }
}
