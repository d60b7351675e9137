import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstalledModel } from '../../models/installed-model.js';
import { createScratchDirectory } from '../../tool/scratch-directory.js';
import { encodeWhisperVocabularyAsSymbols } from './byte-symbols.js';
import type { RecognizerFamily } from './recognizer-families.js';

export interface TokenFiles {
  tokens: string;
  /** Path of the subword vocabulary for hotwords; null if the family supports none. */
  bpeVocabulary: string | null;
  /** Empty if hotwords are not supported. */
  subwords: ReadonlySet<string>;
  remove(): Promise<void>;
}

const SPECIAL_TOKEN = /^<.*>$/;

/** Writes the files that the library needs in another format than the model has. @throws file system errors */
export async function prepareTokenFiles(
  model: InstalledModel,
  family: RecognizerFamily,
): Promise<TokenFiles> {
  const folder = await createScratchDirectory();
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const tokensPath = model.files['tokens'] ?? '';
    const text = await readFile(tokensPath, 'utf8');
    const subwords = new Set(family.supportsHotwords ? parseSubwords(text) : []);
    return {
      tokens: family.hasBase64Tokens(model)
        ? await writeToFolder(folder, 'tokens.txt', encodeWhisperVocabularyAsSymbols(text))
        : tokensPath,
      bpeVocabulary: family.supportsHotwords
        ? (model.files['bpeVocab'] ??
          (await writeToFolder(folder, 'pieces.txt', formatBpeVocabulary(subwords))))
        : null,
      subwords,
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function parseSubwords(tokens: string): string[] {
  return tokens.split('\n').flatMap((line) => {
    const subword = /^(\S+)\s+\d+\s*$/.exec(line)?.[1];
    return subword === undefined || SPECIAL_TOKEN.test(subword) ? [] : [subword];
  });
}

/**
 * Formats subwords with a score each. Models rarely include scores; equal ones split words into as few subwords as
 * possible, which is mostly how the model does it.
 */
function formatBpeVocabulary(subwords: ReadonlySet<string>): string {
  return [...subwords].map((subword) => `${subword}\t-1\n`).join('');
}

async function writeToFolder(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}
