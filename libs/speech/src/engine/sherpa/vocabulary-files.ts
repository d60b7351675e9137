import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstalledModel } from '../../models/model.js';
import { makeWorkFolder } from '../../tool/work-folder.js';
import { symbolVocabulary } from './byte-symbols.js';
import type { Family } from './families.js';

/** The vocabulary of a model as the library is to read it. */
export interface VocabularyFiles {
  /** Path of the tokens. */
  tokens: string;
  /** Path of the pieces that given terms are written with; null where the family cannot listen for any. */
  pieces: string | null;
  /** The pieces themselves; empty where there are none. */
  known: ReadonlySet<string>;
  remove(): Promise<void>;
}

const SPECIAL = /^<.*>$/;

/**
 * Writes what the model itself does not bring in the form that is needed, into a folder of its own.
 * Throws the errors of the file system.
 */
export async function vocabularyFiles(model: InstalledModel, family: Family): Promise<VocabularyFiles> {
  const folder = await makeWorkFolder();
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const given = model.files['tokens'] ?? '';
    const text = await readFile(given, 'utf8');
    const known = new Set(family.hearsTerms ? piecesIn(text) : []);
    return {
      tokens: family.base64(model) ? await put(folder, 'tokens.txt', symbolVocabulary(text)) : given,
      pieces: family.hearsTerms
        ? (model.files['bpeVocab'] ?? (await put(folder, 'pieces.txt', ranked(known))))
        : null,
      known,
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** `piece id` a line. */
function piecesIn(tokens: string): string[] {
  return tokens.split('\n').flatMap((line) => {
    const piece = /^(\S+)\s+\d+\s*$/.exec(line)?.[1];
    return piece === undefined || SPECIAL.test(piece) ? [] : [piece];
  });
}

/**
 * Pieces with the cost of each. Models seldom bring the likelihoods of theirs: with the same cost for all a word is
 * written with as few pieces as possible, which is how they mostly write it.
 */
function ranked(pieces: ReadonlySet<string>): string {
  return [...pieces].map((piece) => `${piece}\t-1\n`).join('');
}

async function put(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}
