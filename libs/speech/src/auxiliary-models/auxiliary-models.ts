import { type LanguageIdentifier, WhisperLanguageIdentifier } from './whisper-language-identifier.js';
import { listInstalledModels } from '../models/installed-models.js';
import type { InstalledModel, ModelFamily, ModelKind } from '../models/installed-model.js';
import type { Punctuator } from '../punctuation/punctuator.js';
import { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import type { SpeakerFeatureExtractor } from '../diarization/speaker-features.js';
import type { SpeechDetector } from '../vad/model-frame-classifier.js';
import { CtTransformerPunctuator } from './ct-transformer-punctuator.js';
import { NeuralSpeakerFeatureExtractor } from './neural-speaker-feature-extractor.js';
import { SileroSpeechDetector } from './silero-speech-detector.js';

/** What helps the engine, each null where no model for it is installed: there is another way, or none is needed. */
export interface AuxiliaryModels {
  voiceActivity: SpeechDetector | null;
  speakers: SpeakerFeatureExtractor | null;
  punctuation: Punctuator | null;
  language: LanguageIdentifier | null;
  /** Ends the processes that the models are in. */
  close(): Promise<void>;
}

/** What a model can be beside a recogniser. */
export type AuxiliaryModelKind = Exclude<ModelKind, 'recognizer'>;

const FAMILIES: Record<AuxiliaryModelKind, ModelFamily> = {
  'voice-activity': 'silero',
  segmentation: 'pyannote',
  embedding: 'speaker-embedding',
  punctuation: 'ct-transformer',
  language: 'whisper-language',
};

export const AUXILIARY_MODEL_KINDS = Object.keys(FAMILIES) as AuxiliaryModelKind[];

/** Which of the models is used for what: the first by name, of those there are. */
export function selectAuxiliaryModels(
  models: readonly InstalledModel[],
): Map<AuxiliaryModelKind, InstalledModel> {
  const found = AUXILIARY_MODEL_KINDS.flatMap((kind): [AuxiliaryModelKind, InstalledModel][] => {
    const model = models.find((each) => each.kind === kind && each.family === FAMILIES[kind]);
    return model ? [[kind, model]] : [];
  });
  return new Map(found);
}

/**
 * The aids whose models are installed.
 * @param folder of models; there may be none
 * @param options hosts: how many requests are served at once
 * @throws InvalidModelError
 */
export async function loadAuxiliaryModels(
  folder: string,
  options: { hosts: number },
): Promise<AuxiliaryModels> {
  const installed = await listInstalledModels(folder);
  const models = [...selectAuxiliaryModels(installed).values()].flatMap(({ files }) => Object.values(files));
  return createAuxiliaryModels(installed, new SherpaHostPool({ ...options, models }));
}

/** As `loadAuxiliaryModels`, of models that are known and hosts that end with the aids. */
export function createAuxiliaryModels(
  installed: readonly InstalledModel[],
  hosts: SherpaHostPool,
): AuxiliaryModels {
  const models = selectAuxiliaryModels(installed);
  const made = <T>(kind: AuxiliaryModelKind, make: (model: InstalledModel) => T): T | null => {
    const model = models.get(kind);
    return model ? make(model) : null;
  };
  const segmentation = models.get('segmentation');
  return {
    voiceActivity: made('voice-activity', (model) => new SileroSpeechDetector(model, hosts)),
    speakers: segmentation
      ? made('embedding', (model) => new NeuralSpeakerFeatureExtractor(segmentation, model, hosts))
      : null,
    punctuation: made('punctuation', (model) => new CtTransformerPunctuator(model, hosts)),
    language: made('language', (model) => new WhisperLanguageIdentifier(model, hosts)),
    close: () => hosts.close(),
  };
}
