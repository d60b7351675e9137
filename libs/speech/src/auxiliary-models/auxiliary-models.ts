import { listInstalledModels } from '../models/installed-models.js';
import type { InstalledModel, ModelFamily, ModelKind } from '../models/installed-model.js';
import type { PunctuationMarkPredictor } from '../punctuation/punctuation-mark-predictor.js';
import { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import type { SpeakerFeatureExtractor } from '../diarization/speaker-features.js';
import type { SpeechDetector } from '../vad/model-frame-classifier.js';
import { partitionModelsByStoredCheckResult } from './partition-models-by-stored-check-result.js';
import { SherpaPunctuator } from './sherpa-punctuator.js';
import {
  createLanguageIdentifier,
  createSileroSpeechDetector,
  createNeuralSpeakerFeatureExtractor,
  type LanguageIdentifier,
} from './sherpa-audio-models.js';

/** Null for each model that is not installed. */
export interface AuxiliaryModels {
  speechDetector: SpeechDetector | null;
  speakerFeatureExtractor: SpeakerFeatureExtractor | null;
  punctuator: PunctuationMarkPredictor | null;
  languageIdentifier: LanguageIdentifier | null;
  close(): Promise<void>;
}

export type AuxiliaryModelKind = Exclude<ModelKind, 'recognizer'>;

const FAMILIES: Record<AuxiliaryModelKind, readonly ModelFamily[]> = {
  'voice-activity': ['silero'],
  segmentation: ['pyannote'],
  embedding: ['speaker-embedding'],
  punctuation: ['ct-transformer', 'cnn-bilstm'],
  language: ['whisper-language'],
};

export const AUXILIARY_MODEL_KINDS = Object.keys(FAMILIES) as AuxiliaryModelKind[];

/** Takes the first model of each kind by name. */
export function pickOneAuxiliaryModelPerKind(
  models: readonly InstalledModel[],
): Map<AuxiliaryModelKind, InstalledModel> {
  const found = AUXILIARY_MODEL_KINDS.flatMap((kind): [AuxiliaryModelKind, InstalledModel][] => {
    const model = models.find((each) => each.kind === kind && FAMILIES[kind].includes(each.family));
    return model ? [[kind, model]] : [];
  });
  return new Map(found);
}

/** @param folder need not exist @param options hosts: maximum number of concurrent requests @throws InvalidModelError */
export async function createAuxiliaryModelsFromFolder(
  folder: string,
  options: { hosts: number },
): Promise<AuxiliaryModels> {
  const { usable } = await partitionModelsByStoredCheckResult(await listInstalledModels(folder), folder);
  const models = [...pickOneAuxiliaryModelPerKind(usable).values()].flatMap(({ files }) =>
    Object.values(files),
  );
  return createAuxiliaryModels(usable, new SherpaHostPool({ ...options, models }));
}

/** `close` also closes the hosts. */
export function createAuxiliaryModels(
  installed: readonly InstalledModel[],
  hosts: SherpaHostPool,
): AuxiliaryModels {
  const models = pickOneAuxiliaryModelPerKind(installed);
  const createIfInstalled = <T>(kind: AuxiliaryModelKind, create: (model: InstalledModel) => T): T | null => {
    const model = models.get(kind);
    return model ? create(model) : null;
  };
  const segmentation = models.get('segmentation');
  return {
    speechDetector: createIfInstalled('voice-activity', (model) => createSileroSpeechDetector(model, hosts)),
    speakerFeatureExtractor: segmentation
      ? createIfInstalled('embedding', (model) =>
          createNeuralSpeakerFeatureExtractor(segmentation, model, hosts),
        )
      : null,
    punctuator: createIfInstalled('punctuation', (model) => new SherpaPunctuator(model, hosts)),
    languageIdentifier: createIfInstalled('language', (model) => createLanguageIdentifier(model, hosts)),
    close: () => hosts.close(),
  };
}
