import type { InstalledModel } from '../models/model.js';
import type { SherpaHosts } from '../sherpa/host/hosts.js';
import { encodePrints } from '../speakers/neural/print-codec.js';
import { direction } from '../speakers/neural/voice-print.js';
import type { VoiceDescriber } from '../speakers/voice-describer.js';
import { askHost } from './host-asker.js';
import { fileOf, LOADING, shareOf } from './model-parts.js';

/**
 * Cosine of two prints from which on they are of one voice; `settings.alike` of the manifest of the embedding model
 * says otherwise. Half is the library's own figure.
 */
const ALIKE = 0.5;
/** Seconds: shorter turns are dropped, and shorter gaps within a turn are closed, by the library. */
const SHORTEST = { minDurationOn: 0.2, minDurationOff: 0.3 };

/** Pyannote's segmentation and a model of voices, through the library's diarization, a chunk at a time. */
export class NeuralDescriber implements VoiceDescriber {
  private readonly loading: { diarization: object; embedding: object };
  private readonly alike: number;

  /** Throws ModelBroken. */
  constructor(
    segmentation: InstalledModel,
    private readonly model: InstalledModel,
    private readonly hosts: SherpaHosts,
  ) {
    this.alike = shareOf(model, 'alike', ALIKE);
    const embedding = { ...LOADING, model: fileOf(model, 'model') };
    const diarization = {
      segmentation: { ...LOADING, pyannote: { model: fileOf(segmentation, 'model') } },
      embedding,
      clustering: { numClusters: -1, threshold: 1 - this.alike },
      ...SHORTEST,
    };
    this.loading = { diarization, embedding };
  }

  async describe(samples: Int16Array, signal: AbortSignal): Promise<string> {
    const { model, hosts, loading, alike } = this;
    const heard = await askHost(hosts, 'describeVoices', { model: loading, samples }, { model, signal });
    const voices = heard.map(({ turns, embedding }) => ({ turns, print: embedding && direction(embedding) }));
    return encodePrints({ model: model.name, alike, voices });
  }
}
