import { alignMarks } from '../punctuation/align-marks.js';
import type { Mark, Punctuator, TextWord } from '../punctuation/punctuator.js';
import { textBlocks } from '../punctuation/text-blocks.js';
import type { InstalledModel } from '../models/model.js';
import type { SherpaHosts } from '../sherpa/host/hosts.js';
import { AidFailed } from './aid-failed.js';
import { askHost } from './host-asker.js';
import { fileOf, LOADING } from './model-parts.js';
import { serves } from './serves.js';

/** A CT-Transformer. */
export class ModelPunctuator implements Punctuator {
  private readonly loading: object;

  /** Throws ModelBroken. */
  constructor(
    private readonly model: InstalledModel,
    private readonly hosts: SherpaHosts,
  ) {
    this.loading = { model: { ...LOADING, ctTransformer: fileOf(model, 'model') } };
  }

  async marks(words: readonly TextWord[], signal: AbortSignal): Promise<(Mark | null | undefined)[]> {
    const { model, hosts, loading } = this;
    const marks = words.map((): Mark | null | undefined => undefined);
    const blocks = textBlocks(words, (language) => serves(model.languages, language)).map(({ from, to }) => ({
      from,
      words: words.slice(from, to).map(({ text }) => text),
    }));
    if (blocks.length === 0) return marks;
    const texts = blocks.map((block) => block.words.join(' '));
    const marked = await askHost(hosts, 'punctuate', { model: loading, texts }, { model, signal });
    try {
      for (const [index, block] of blocks.entries()) {
        marks.splice(block.from, block.words.length, ...alignMarks(block.words, marked[index] ?? ''));
      }
    } catch (error) {
      throw new AidFailed(model.name, { cause: error });
    }
    return marks;
  }
}
