import type { LanguageTeller } from '../language/language-teller.js';
import type { InstalledModel } from '../models/model.js';
import type { SherpaHosts } from '../sherpa/host/hosts.js';
import { SAMPLE_RATE } from '../wav/sample-rate.js';
import { askHost } from './host-asker.js';
import { fileOf, LOADING } from './model-parts.js';

/** Whisper looks at half a minute; the library wants a little silence behind it. */
const MOST_SAMPLES = 29 * SAMPLE_RATE;

/** A multilingual Whisper, asked for the language alone. */
export class WhisperTeller implements LanguageTeller {
  private readonly loading: object;

  /** Throws ModelBroken. */
  constructor(
    private readonly model: InstalledModel,
    private readonly hosts: SherpaHosts,
  ) {
    const whisper = { encoder: fileOf(model, 'encoder'), decoder: fileOf(model, 'decoder') };
    this.loading = { ...LOADING, whisper };
  }

  async languageOf(samples: Int16Array, signal: AbortSignal): Promise<string | null> {
    const { model, hosts, loading } = this;
    const heard = samples.slice(0, MOST_SAMPLES);
    const code = await askHost(
      hosts,
      'identifyLanguage',
      { model: loading, samples: heard },
      { model, signal },
    );
    return code === '' ? null : code;
  }
}
