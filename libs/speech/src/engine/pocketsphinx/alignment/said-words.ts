import { lookUp } from '../vocabulary/dictionary.js';
import { sayUnknown } from '../vocabulary/letter-to-sound.js';
import { type Pronouncer, soundsOfWord } from '../vocabulary/sounds.js';
import { spokenForms, type WrittenWord } from '../vocabulary/spoken-forms.js';
import { wordName } from './word-graph.js';

/** What is said where a sign has no letters and no digits, so that every written word has a place in the graph. */
const SHORT_SOUND = 'AH';

/**
 * A pronouncing dictionary with the ways in which each written word may be said, under the names of `wordName`.
 * `folder` is for the files of outside programs.
 */
export async function pronounceSaid(
  words: readonly string[],
  dictionary: string,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  const written = words.map(asWritten);
  const plain = new Set(written.flatMap((word) => (word ? plainWords(word) : [])));
  const entries = await lookUp(dictionary, plain);
  const unknown = [...plain].filter((word) => !entries.has(word));
  const guesses = await sayUnknown(unknown, folder, signal);
  const pronounce: Pronouncer = (word) => entries.get(word) ?? guesses.get(word) ?? [];
  return written.map((word, index) => entry(index, word ? soundsOfWord(word, pronounce) : [])).join('');
}

/** `1,200` is one number, and what stands around a word is not said. */
function asWritten(text: string): WrittenWord | null {
  const bare = text.replace(/(?<=\d),(?=\d{3})/g, '').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%+]+$/gu, '');
  return spokenForms(bare)?.[0] ?? null;
}

function entry(index: number, sounds: readonly string[]): string {
  const ways = sounds.length > 0 ? sounds : [SHORT_SOUND];
  return ways.map((sound, at) => `${wordName(index)}${at === 0 ? '' : `(${at + 1})`} ${sound}\n`).join('');
}

function plainWords({ ways }: WrittenWord): string[] {
  return ways.flat().flatMap((spoken) => ('word' in spoken ? [spoken.word] : []));
}
