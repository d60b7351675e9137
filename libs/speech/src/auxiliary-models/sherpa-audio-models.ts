import { encodeSpeakerEmbeddingsAsText, toUnitVector } from '../diarization/neural/speaker-embedding.js';
import { ANY_NUMBER_OF_SPEAKERS } from '../diarization/speaker-count-limits.js';
import type { SpeakerFeatureExtractor } from '../diarization/speaker-features.js';
import { toLanguageTag } from '../engine/language-tag.js';
import type { InstalledModel } from '../models/installed-model.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import type { SpeechDetector } from '../vad/model-frame-classifier.js';
import { SAMPLE_RATE } from '../wav/pcm.js';
import {
  getModelFilePathByRole,
  LOADER_DEFAULTS,
  readModelFractionSetting,
  requestAuxiliaryModel,
} from './sherpa-model.js';

/** Minimum speech probability of a 32 ms window; `settings.threshold` in the manifest overrides it. */
const SPEECH_THRESHOLD = 0.5;
const SILERO_SETTINGS = {
  // Seconds; the same as in `EnergyFrameClassifier`.
  minSpeechDuration: 0.06,
  minSilenceDuration: 0.16,
  // Effectively unlimited: chunks are split at pauses later.
  maxSpeechDuration: 3600,
  windowSize: 512,
};

/** Silero voice activity detector, version 4 or 5. @throws InvalidModelError */
export function createSileroSpeechDetector(model: InstalledModel, hosts: SherpaHostPool): SpeechDetector {
  const sileroVad = {
    model: getModelFilePathByRole(model, 'model'),
    threshold: readModelFractionSetting(model, 'threshold', SPEECH_THRESHOLD),
    ...SILERO_SETTINGS,
  };
  const config = { ...LOADER_DEFAULTS, sileroVad, sampleRate: SAMPLE_RATE };
  return {
    detect: (samples, signal) =>
      requestAuxiliaryModel(hosts, 'detectSpeech', { model: config, samples }, { model, signal }),
  };
}

/**
 * Settings in the manifest of an embedding model, and their defaults, which are those of CAM++. They differ because the
 * library compares the least similar of short stretches of speech, and joining compares the means of up to 20 s.
 */
const EMBEDDING_SETTINGS = {
  /** Maximum cosine distance within a cluster of the library (complete linkage). */
  clusterDistance: 0.9,
  /** Minimum cosine of two speakers of different diarized audio that are joined. */
  alike: 0.5,
} as const;
/**
 * Finer clusters for a caller who names a minimum of speakers: joining may keep them apart. A number of clusters would be
 * wrong for a part of a file in which not everybody speaks.
 */
const FINE_CLUSTER_DISTANCE = 0.5;
/** Seconds: the library drops shorter turns and closes shorter gaps. */
const MIN_TURN_DURATIONS = { minDurationOn: 0.2, minDurationOff: 0.3 };

/** Pyannote segmentation and a speaker embedding model. @throws InvalidModelError */
export function createNeuralSpeakerFeatureExtractor(
  segmentation: InstalledModel,
  model: InstalledModel,
  hosts: SherpaHostPool,
): SpeakerFeatureExtractor {
  const similarityThreshold = readModelFractionSetting(model, 'alike', EMBEDDING_SETTINGS.alike);
  const threshold = readModelFractionSetting(model, 'clusterDistance', EMBEDDING_SETTINGS.clusterDistance);
  const embedding = { ...LOADER_DEFAULTS, model: getModelFilePathByRole(model, 'model') };
  const diarization = {
    segmentation: { ...LOADER_DEFAULTS, pyannote: { model: getModelFilePathByRole(segmentation, 'model') } },
    embedding,
    ...MIN_TURN_DURATIONS,
  };
  return {
    extract: async (samples, signal, { min } = ANY_NUMBER_OF_SPEAKERS) => {
      const clusterDistance = min > 1 ? Math.min(FINE_CLUSTER_DISTANCE, threshold) : threshold;
      const request = { model: { diarization, embedding }, clusterDistance, samples };
      const speakers = await requestAuxiliaryModel(hosts, 'diarizeSpeakers', request, { model, signal });
      return encodeSpeakerEmbeddingsAsText({
        model: model.name,
        similarityThreshold,
        speakers: speakers.map((speaker) => ({
          turns: speaker.turns,
          embedding: speaker.embedding && toUnitVector(speaker.embedding),
        })),
      });
    },
  };
}

export interface LanguageIdentifier {
  /**
   * @param samples 16 kHz mono; only the first 30 s are used
   * @returns BCP 47 tag; null when the model does not know
   * @throws AuxiliaryModelError; the reason of `signal` when it is aborted
   */
  identify(samples: Int16Array, signal: AbortSignal): Promise<string | null>;
}

/** Whisper reads 30 s; the library needs a little silence after the audio. */
const MAX_IDENTIFIED_SAMPLES = 29 * SAMPLE_RATE;

/** A multilingual Whisper. @throws InvalidModelError */
export function createLanguageIdentifier(model: InstalledModel, hosts: SherpaHostPool): LanguageIdentifier {
  const whisper = {
    encoder: getModelFilePathByRole(model, 'encoder'),
    decoder: getModelFilePathByRole(model, 'decoder'),
  };
  const config = { ...LOADER_DEFAULTS, whisper };
  return {
    identify: async (samples, signal) => {
      const request = { model: config, samples: samples.slice(0, MAX_IDENTIFIED_SAMPLES) };
      // Whisper has codes of its own, such as `jw`.
      return toLanguageTag(
        await requestAuxiliaryModel(hosts, 'identifyLanguage', request, { model, signal }),
      );
    },
  };
}
