import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstalledModel } from '../../models/installed-model.js';
import { createScratchDirectory } from '../../tool/scratch-directory.js';
import { toSymbolVocabulary } from './byte-symbols.js';
import type { RecognizerFamily } from './recognizer-families.js';

/** The vocabulary of a model as the library is to read it. */
export interface VocabularyFiles {
  /** Path of the tokens. */
  tokens: string;
  /** Path of the pieces that given terms are written with; null where the family cannot listen for any. */
  bpeVocabulary: string | null;
  /** The pieces themselves; empty where there are none. */
  subwords: ReadonlySet<string>;
  remove(): Promise<void>;
}

const SPECIAL_TOKEN = /^<.*>$/;

/**
 * Writes what the model itself does not bring in the form that is needed, into a folder of its own.
 * Throws the errors of the file system.
 */
export async function prepareVocabularyFiles(
  model: InstalledModel,
  family: RecognizerFamily,
): Promise<VocabularyFiles> {
  const folder = await createScratchDirectory();
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const given = model.files['tokens'] ?? '';
    const text = await readFile(given, 'utf8');
    const known = new Set(family.supportsHotwords ? parseSubwords(text) : []);
    return {
      tokens: family.hasBase64Tokens(model)
        ? await writeToFolder(folder, 'tokens.txt', toSymbolVocabulary(text))
        : given,
      bpeVocabulary: family.supportsHotwords
        ? (model.files['bpeVocab'] ?? (await writeToFolder(folder, 'pieces.txt', formatBpeVocabulary(known))))
        : null,
      subwords: known,
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** `piece id` a line. */
function parseSubwords(tokens: string): string[] {
  return tokens.split('\n').flatMap((line) => {
    const piece = /^(\S+)\s+\d+\s*$/.exec(line)?.[1];
    return piece === undefined || SPECIAL_TOKEN.test(piece) ? [] : [piece];
  });
}

/**
 * Pieces with the cost of each. Models seldom bring the likelihoods of theirs: with the same cost for all a word is
 * written with as few pieces as possible, which is how they mostly write it.
 */
function formatBpeVocabulary(pieces: ReadonlySet<string>): string {
  return [...pieces].map((piece) => `${piece}\t-1\n`).join('');
}

async function writeToFolder(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}
