import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createScratchDirectory } from '../../../tool/scratch-directory.js';
import type { EnglishModel } from '../installation.js';
import { getLexicon } from './model-lexicon.js';
import { extendLanguageModel } from './language-model.js';
import type { Vocabulary } from './prepare-vocabulary.js';

/** The model's files exist until `release`, which is idempotent. */
export interface AcquiredModel {
  model: EnglishModel;
  release: () => Promise<void>;
}

interface SharedModel {
  users: number;
  files: Promise<{ model: EnglishModel; folder: string }>;
}

/** Models extended by a vocabulary. Files are shared by all processes with that vocabulary, and removed with the last. */
export class ExtendedModelCache {
  private readonly shared = new Map<Vocabulary, SharedModel>();

  /** @throws UnsupportedLanguageModelError; file system errors */
  async acquire(model: EnglishModel, vocabulary: Vocabulary): Promise<AcquiredModel> {
    if (vocabulary.addedWords.length === 0) return { model, release: () => Promise.resolve() };
    const shared = this.shared.get(vocabulary) ?? { users: 0, files: writeExtendedModel(model, vocabulary) };
    this.shared.set(vocabulary, shared);
    shared.users += 1;
    let released: Promise<void> | undefined;
    const release = (): Promise<void> => (released ??= this.releaseShared(vocabulary, shared));
    try {
      return { model: (await shared.files).model, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  private async releaseShared(vocabulary: Vocabulary, shared: SharedModel): Promise<void> {
    shared.users -= 1;
    if (shared.users > 0) return;
    this.shared.delete(vocabulary);
    // A failed write has removed its folder.
    const files = await shared.files.catch(() => null);
    if (files) await rm(files.folder, { recursive: true, force: true });
  }
}

async function writeExtendedModel(
  model: EnglishModel,
  { dictionary, addedWords: words }: Vocabulary,
): Promise<{ model: EnglishModel; folder: string }> {
  const folder = await createScratchDirectory();
  try {
    const extended = {
      ...model,
      language: join(folder, 'language.bin'),
      dictionary: join(folder, 'words.dict'),
    };
    await extendLanguageModel(model.language, extended.language, words);
    await writeFile(extended.dictionary, (await getLexicon(model).dictionaryLines()) + dictionary, 'latin1');
    return { model: extended, folder };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
