import type { InstalledModel } from '../models/installed-model.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import { encodeSpeakers, toUnitVector } from '../diarization/neural/speaker-embedding.js';
import type { SpeakerFeatureExtractor } from '../diarization/speaker-features.js';
import { fractionSetting, LOADER_DEFAULTS, modelFile, requestModelHost } from './sherpa-model.js';

/**
 * Cosine of two prints from which on they are of one voice; `settings.alike` of the manifest of the embedding model
 * says otherwise. Half is the library's own figure.
 */
const DEFAULT_SIMILARITY_THRESHOLD = 0.5;
/** Seconds: shorter turns are dropped, and shorter gaps within a turn are closed, by the library. */
const MIN_DURATIONS = { minDurationOn: 0.2, minDurationOff: 0.3 };

/** Pyannote's segmentation and a model of voices, through the library's diarization, a chunk at a time. */
export class NeuralSpeakerFeatureExtractor implements SpeakerFeatureExtractor {
  private readonly loaderConfig: { diarization: object; embedding: object };
  private readonly similarityThreshold: number;

  /** Throws InvalidModelError. */
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

  async describe(samples: Int16Array, signal: AbortSignal): Promise<string> {
    const { model, hosts, loaderConfig: loading, similarityThreshold: alike } = this;
    const heard = await requestModelHost(
      hosts,
      'diarizeSpeakers',
      { model: loading, samples },
      { model, signal },
    );
    const voices = heard.map(({ turns, embedding }) => ({
      turns,
      print: embedding && toUnitVector(embedding),
    }));
    return encodeSpeakers({ model: model.name, similarityThreshold: alike, speakers: voices });
  }
}
