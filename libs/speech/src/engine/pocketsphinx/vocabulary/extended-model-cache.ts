import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createScratchDirectory } from '../../../tool/scratch-directory.js';
import type { EnglishModel } from '../installation.js';
import { lexiconOf } from './model-lexicon.js';
import { extendLanguageModel } from './language-model.js';
import type { Vocabulary } from './prepare-vocabulary.js';

/** A model whose files stay until it is given back; once is enough. */
export interface AcquiredModel {
  model: EnglishModel;
  release: () => Promise<void>;
}

interface SharedModel {
  users: number;
  files: Promise<{ model: EnglishModel; folder: string }>;
}

/**
 * Models that listen for the terms of a vocabulary too. Their files are written for the first process that needs them,
 * read by all that listen for the same, and removed with the last of these.
 */
export class ExtendedModelCache {
  private readonly shared = new Map<Vocabulary, SharedModel>();

  /** Throws `UnsupportedLanguageModelError`, and what the file system says. */
  async acquire(model: EnglishModel, vocabulary: Vocabulary): Promise<AcquiredModel> {
    if (vocabulary.addedWords.length === 0) return { model, release: () => Promise.resolve() };
    const shared = this.shared.get(vocabulary) ?? { users: 0, files: writeExtendedModel(model, vocabulary) };
    this.shared.set(vocabulary, shared);
    shared.users += 1;
    let released: Promise<void> | undefined;
    const giveBack = (): Promise<void> => (released ??= this.releaseShared(vocabulary, shared));
    try {
      return { model: (await shared.files).model, release: giveBack };
    } catch (error) {
      await giveBack();
      throw error;
    }
  }

  private async releaseShared(vocabulary: Vocabulary, shared: SharedModel): Promise<void> {
    shared.users -= 1;
    if (shared.users > 0) return;
    this.shared.delete(vocabulary);
    // What could not be written left no folder.
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
    await writeFile(extended.dictionary, (await lexiconOf(model).dictionaryLines()) + dictionary, 'latin1');
    return { model: extended, folder };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
