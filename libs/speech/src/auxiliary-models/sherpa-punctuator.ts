import {
  AuxiliaryModelError,
  LOADER_DEFAULTS,
  getModelFilePathByRole,
  requestAuxiliaryModel,
} from './sherpa-model.js';
import { supportsLanguage } from '../engine/language-tag.js';
import type { InstalledModel } from '../models/installed-model.js';
import { extractPunctuationMarks } from '../punctuation/extract-punctuation-marks.js';
import type {
  PunctuationMark,
  PunctuationMarkPredictor,
  UnpunctuatedWord,
} from '../punctuation/punctuation-mark-predictor.js';
import { listPunctuationInputRanges } from '../punctuation/list-punctuation-input-ranges.js';
import type { PunctuateRequest } from '../sherpa/host/host-requests.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';

/** CT-Transformer, or the CNN with BiLSTM of Edge-Punct-Casing, whose capitals are ignored. */
export class SherpaPunctuator implements PunctuationMarkPredictor {
  private readonly loaderConfig: PunctuateRequest['model'];

  /** @throws InvalidModelError */
  constructor(
    private readonly model: InstalledModel,
    private readonly hosts: SherpaHostPool,
  ) {
    const path = getModelFilePathByRole(model, 'model');
    const files =
      model.family === 'cnn-bilstm'
        ? { cnnBilstm: path, bpeVocab: getModelFilePathByRole(model, 'bpeVocab') }
        : { ctTransformer: path };
    this.loaderConfig = { model: { ...LOADER_DEFAULTS, ...files } };
  }

  async predictMarks(
    words: readonly UnpunctuatedWord[],
    signal: AbortSignal,
  ): Promise<(PunctuationMark | null | undefined)[]> {
    const { model, hosts, loaderConfig } = this;
    const marks = words.map((): PunctuationMark | null | undefined => undefined);
    const blocks = listPunctuationInputRanges(words, (language) =>
      supportsLanguage(model.languages, language),
    ).map(({ from, to }) => ({
      from,
      words: words.slice(from, to).map(({ text }) => text),
    }));
    if (blocks.length === 0) return marks;
    const texts = blocks.map((block) => block.words.join(' '));
    const marked = await requestAuxiliaryModel(
      hosts,
      'punctuate',
      { model: loaderConfig, texts },
      { model, signal },
    );
    try {
      for (const [index, block] of blocks.entries()) {
        marks.splice(
          block.from,
          block.words.length,
          ...extractPunctuationMarks(block.words, marked[index] ?? ''),
        );
      }
    } catch (error) {
      throw new AuxiliaryModelError(model.name, { cause: error });
    }
    return marks;
  }
}
