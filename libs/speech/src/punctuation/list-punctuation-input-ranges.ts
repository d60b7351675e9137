import type { UnpunctuatedWord } from './punctuation-mark-predictor.js';

/** Indices of words that are punctuated together; `to` is exclusive. */
export interface PunctuationInputRange {
  from: number;
  to: number;
}

/** A pause this long always ends a sentence. */
const LONG_PAUSE_SECONDS = 2;
/** Longer blocks are split at a pause. */
const MAX_BLOCK_WORDS = 300;

/**
 * The model takes the end of a block for the end of a sentence. Words in unsupported languages are in no block; words
 * of unknown language belong to the preceding language.
 */
export function listPunctuationInputRanges(
  words: readonly UnpunctuatedWord[],
  isSupported: (language: string) => boolean,
): PunctuationInputRange[] {
  const blocks: PunctuationInputRange[] = [];
  let language: string | null = null;
  let open: PunctuationInputRange | null = null;
  for (const [index, word] of words.entries()) {
    const changed = word.language !== null && word.language !== language;
    language = word.language ?? language;
    if (changed || pauseBefore(words, index) > LONG_PAUSE_SECONDS) open = null;
    if (language === null || !isSupported(language)) continue;
    if (open) open.to = index + 1;
    else blocks.push((open = { from: index, to: index + 1 }));
  }
  return blocks.flatMap((block) => splitLongBlock(words, block));
}

function splitLongBlock(
  words: readonly UnpunctuatedWord[],
  block: PunctuationInputRange,
): PunctuationInputRange[] {
  const short: PunctuationInputRange[] = [];
  let { from } = block;
  while (block.to - from > MAX_BLOCK_WORDS) {
    const to = findWidestPause(words, from + MAX_BLOCK_WORDS / 2, from + MAX_BLOCK_WORDS);
    short.push({ from, to });
    from = to;
  }
  return [...short, { from, to: block.to }];
}

/** Returns the index of the word after the pause. */
function findWidestPause(words: readonly UnpunctuatedWord[], from: number, to: number): number {
  let best = to;
  for (let index = from; index <= to; index += 1) {
    if (pauseBefore(words, index) > pauseBefore(words, best)) best = index;
  }
  return best;
}

function pauseBefore(words: readonly UnpunctuatedWord[], index: number): number {
  const [before, word] = [words[index - 1], words[index]];
  return before && word ? word.start - before.end : 0;
}
