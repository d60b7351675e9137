import { rm } from 'node:fs/promises';
import { createScratchDirectory } from '../tool/scratch-directory.js';
import { convertTextsToEspeakIpa } from '../engine/pocketsphinx/vocabulary/grapheme-to-phoneme.js';
import { parsePhonemes, type Phonemes } from './phoneme-distance.js';

/** Everything else ends a line of espeak-ng's output, or is read aloud. */
const UNREADABLE = /[^\p{L}\p{M}\p{N}'&+%]+/gu;
const CAMEL_CASE = /(?<=\p{Ll})(?=\p{Lu})/gu;

/** Empty if nothing in the text can be read. @param text a word, or words */
export function toSpeakableText(text: string): string {
  const readable = text.replaceAll('’', "'").replaceAll(CAMEL_CASE, ' ').replaceAll(UNREADABLE, ' ').trim();
  return /[\p{L}\p{N}]/u.test(readable) ? readable : '';
}

/**
 * How espeak-ng says each text. Texts that it cannot read are missing; all are if the program is missing or fails.
 * @throws the reason of the abort
 */
export async function guessPhonemesByText(
  texts: Iterable<string>,
  voice: string,
  signal: AbortSignal,
): Promise<Map<string, Phonemes>> {
  const pronounced = new Map<string, Phonemes>();
  const readable = [...new Set(texts)].filter((text) => toSpeakableText(text) !== '');
  if (readable.length === 0) return pronounced;
  const folder = await createScratchDirectory();
  try {
    const lines = await convertTextsToEspeakIpa(readable.map(toSpeakableText), voice, folder, signal);
    for (const [index, line] of lines.entries()) {
      const phonemes = parsePhonemes(line);
      if (phonemes.length > 0) pronounced.set(readable[index] ?? '', phonemes);
    }
    return pronounced;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
