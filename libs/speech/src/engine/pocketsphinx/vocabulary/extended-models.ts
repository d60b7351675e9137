import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeWorkFolder } from '../../../tool/work-folder.js';
import type { EnglishModel } from '../model.js';
import { knownWords } from './known-words.js';
import { extendLanguageModel } from './language-model.js';
import type { Vocabulary } from './vocabulary.js';

/** A model whose files stay until it is given back; once is enough. */
export interface LentModel {
  model: EnglishModel;
  giveBack: () => Promise<void>;
}

interface Shared {
  users: number;
  files: Promise<{ model: EnglishModel; folder: string }>;
}

/**
 * Models that listen for the terms of a vocabulary too. Their files are written for the first process that needs them,
 * read by all that listen for the same, and removed with the last of these.
 */
export class ExtendedModels {
  private readonly shared = new Map<Vocabulary, Shared>();

  /** Throws `LanguageModelUnknown`, and what the file system says. */
  async lend(model: EnglishModel, vocabulary: Vocabulary): Promise<LentModel> {
    if (vocabulary.words.length === 0) return { model, giveBack: () => Promise.resolve() };
    const shared = this.shared.get(vocabulary) ?? { users: 0, files: write(model, vocabulary) };
    this.shared.set(vocabulary, shared);
    shared.users += 1;
    let released: Promise<void> | undefined;
    const giveBack = (): Promise<void> => (released ??= this.release(vocabulary, shared));
    try {
      return { model: (await shared.files).model, giveBack };
    } catch (error) {
      await giveBack();
      throw error;
    }
  }

  private async release(vocabulary: Vocabulary, shared: Shared): Promise<void> {
    shared.users -= 1;
    if (shared.users > 0) return;
    this.shared.delete(vocabulary);
    // What could not be written left no folder.
    const files = await shared.files.catch(() => null);
    if (files) await rm(files.folder, { recursive: true, force: true });
  }
}

async function write(
  model: EnglishModel,
  { dictionary, words }: Vocabulary,
): Promise<{ model: EnglishModel; folder: string }> {
  const folder = await makeWorkFolder();
  try {
    const extended = {
      ...model,
      language: join(folder, 'language.bin'),
      dictionary: join(folder, 'words.dict'),
    };
    await extendLanguageModel(model.language, extended.language, words);
    await writeFile(extended.dictionary, (await knownWords(model).dictionary()) + dictionary, 'latin1');
    return { model: extended, folder };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
