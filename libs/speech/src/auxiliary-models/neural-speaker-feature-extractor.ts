import type { InstalledModel } from '../models/installed-model.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import { encodeSpeakers, toUnitVector } from '../diarization/neural/speaker-embedding.js';
import type { SpeakerFeatureExtractor } from '../diarization/speaker-features.js';
import { fractionSetting, LOADER_DEFAULTS, modelFile, requestModelHost } from './sherpa-model.js';

/** The library's default; `settings.alike` in the manifest of the embedding model overrides it. */
const DEFAULT_SIMILARITY_THRESHOLD = 0.5;
/** Seconds: the library drops shorter turns and closes shorter gaps. */
const MIN_DURATIONS = { minDurationOn: 0.2, minDurationOff: 0.3 };

/** Pyannote segmentation and a speaker embedding model, applied to one chunk at a time. */
export class NeuralSpeakerFeatureExtractor implements SpeakerFeatureExtractor {
  private readonly loaderConfig: { diarization: object; embedding: object };
  private readonly similarityThreshold: number;

  /** @throws InvalidModelError */
  constructor(
    segmentation: InstalledModel,
    private readonly model: InstalledModel,
    private readonly hosts: SherpaHostPool,
  ) {
    this.similarityThreshold = fractionSetting(model, 'alike', DEFAULT_SIMILARITY_THRESHOLD);
    const embedding = { ...LOADER_DEFAULTS, model: modelFile(model, 'model') };
    const diarization = {
      segmentation: { ...LOADER_DEFAULTS, pyannote: { model: modelFile(segmentation, 'model') } },
      embedding,
      clustering: { numClusters: -1, threshold: 1 - this.similarityThreshold },
      ...MIN_DURATIONS,
    };
    this.loaderConfig = { diarization, embedding };
  }

  async extract(samples: Int16Array, signal: AbortSignal): Promise<string> {
    const { model, loaderConfig, similarityThreshold } = this;
    const request = { model: loaderConfig, samples };
    const diarized = await requestModelHost(this.hosts, 'diarizeSpeakers', request, { model, signal });
    const speakers = diarized.map(({ turns, embedding }) => ({
      turns,
      embedding: embedding && toUnitVector(embedding),
    }));
    return encodeSpeakers({ model: model.name, similarityThreshold, speakers });
  }
}
