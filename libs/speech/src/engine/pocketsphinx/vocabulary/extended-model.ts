import { appendFile, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnglishModel } from '../model.js';
import { extendLanguageModel } from './language-model.js';
import type { Vocabulary } from './vocabulary.js';

/** A copy of the model, in `folder`, that listens for the vocabulary too. Throws `LanguageModelUnknown`. */
export async function extendModel(
  model: EnglishModel,
  { dictionary, words }: Vocabulary,
  folder: string,
): Promise<EnglishModel> {
  if (words.length === 0) return model;
  const extended = {
    ...model,
    language: join(folder, 'language.bin'),
    dictionary: join(folder, 'words.dict'),
  };
  await extendLanguageModel(model.language, extended.language, words);
  await copyFile(model.dictionary, extended.dictionary);
  await appendFile(extended.dictionary, dictionary);
  return extended;
}
