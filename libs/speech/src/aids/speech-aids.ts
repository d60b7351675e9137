import type { LanguageTeller } from '../language/language-teller.js';
import { installedModels } from '../models/installed-models.js';
import type { InstalledModel, ModelFamily, ModelKind } from '../models/model.js';
import type { Punctuator } from '../punctuation/punctuator.js';
import { SherpaHosts } from '../sherpa/host/hosts.js';
import type { VoiceDescriber } from '../speakers/voice-describer.js';
import type { SpeechFinder } from '../vad/speech-finder.js';
import { ModelPunctuator } from './model-punctuator.js';
import { NeuralDescriber } from './neural-describer.js';
import { SileroFinder } from './silero-finder.js';
import { WhisperTeller } from './whisper-teller.js';

/** What helps the engine, each null where no model for it is installed: there is another way, or none is needed. */
export interface SpeechAids {
  voiceActivity: SpeechFinder | null;
  speakers: VoiceDescriber | null;
  punctuation: Punctuator | null;
  language: LanguageTeller | null;
  /** Ends the processes that the models are in. */
  close(): Promise<void>;
}

/** What a model can be beside a recogniser. */
export type AidKind = Exclude<ModelKind, 'recognizer'>;

const FAMILIES: Record<AidKind, ModelFamily> = {
  'voice-activity': 'silero',
  segmentation: 'pyannote',
  embedding: 'speaker-embedding',
  punctuation: 'ct-transformer',
  language: 'whisper-language',
};

export const AID_KINDS = Object.keys(FAMILIES) as AidKind[];

/** Which of the models is used for what: the first by name, of those there are. */
export function aidModels(models: readonly InstalledModel[]): Map<AidKind, InstalledModel> {
  const found = AID_KINDS.flatMap((kind): [AidKind, InstalledModel][] => {
    const model = models.find((each) => each.kind === kind && each.family === FAMILIES[kind]);
    return model ? [[kind, model]] : [];
  });
  return new Map(found);
}

/**
 * The aids whose models are installed.
 * @param folder of models; there may be none
 * @param options hosts: how many requests are served at once
 * @throws ModelBroken
 */
export async function speechAids(folder: string, options: { hosts: number }): Promise<SpeechAids> {
  const installed = await installedModels(folder);
  const models = [...aidModels(installed).values()].flatMap(({ files }) => Object.values(files));
  return aidsOf(installed, new SherpaHosts({ ...options, models }));
}

/** As `speechAids`, of models that are known and hosts that end with the aids. */
export function aidsOf(installed: readonly InstalledModel[], hosts: SherpaHosts): SpeechAids {
  const models = aidModels(installed);
  const made = <T>(kind: AidKind, make: (model: InstalledModel) => T): T | null => {
    const model = models.get(kind);
    return model ? make(model) : null;
  };
  const segmentation = models.get('segmentation');
  return {
    voiceActivity: made('voice-activity', (model) => new SileroFinder(model, hosts)),
    speakers: segmentation
      ? made('embedding', (model) => new NeuralDescriber(segmentation, model, hosts))
      : null,
    punctuation: made('punctuation', (model) => new ModelPunctuator(model, hosts)),
    language: made('language', (model) => new WhisperTeller(model, hosts)),
    close: () => hosts.close(),
  };
}
