import type { TextWord } from './punctuator.js';

/** Indices of words that are read together: `from` is the first, `to` the first after them. */
export interface TextBlock {
  from: number;
  to: number;
}

/** Seconds of silence after which a sentence begins anew whatever was said before. */
const LONG_PAUSE_SECONDS = 2;
/** Words that are read together at most; a longer stretch is parted at a pause. */
const MAX_BLOCK_WORDS = 300;

/**
 * The stretches of text that are read each by itself, since a model takes the end of what it reads for the end of a
 * sentence. Words of languages that are not served are in none. A word of unknown language belongs to the language
 * before it.
 */
export function splitTextBlocks(
  words: readonly TextWord[],
  serves: (language: string) => boolean,
): TextBlock[] {
  const blocks: TextBlock[] = [];
  let language: string | null = null;
  let open: TextBlock | null = null;
  for (const [index, word] of words.entries()) {
    const changed = word.language !== null && word.language !== language;
    language = word.language ?? language;
    if (changed || pauseBefore(words, index) > LONG_PAUSE_SECONDS) open = null;
    if (language === null || !serves(language)) continue;
    if (open) open.to = index + 1;
    else blocks.push((open = { from: index, to: index + 1 }));
  }
  return blocks.flatMap((block) => splitLongBlock(words, block));
}

function splitLongBlock(words: readonly TextWord[], block: TextBlock): TextBlock[] {
  const short: TextBlock[] = [];
  let { from } = block;
  while (block.to - from > MAX_BLOCK_WORDS) {
    const to = findWidestPause(words, from + MAX_BLOCK_WORDS / 2, from + MAX_BLOCK_WORDS);
    short.push({ from, to });
    from = to;
  }
  return [...short, { from, to: block.to }];
}

/** The index of the word after it. */
function findWidestPause(words: readonly TextWord[], from: number, to: number): number {
  let best = to;
  for (let index = from; index <= to; index += 1) {
    if (pauseBefore(words, index) > pauseBefore(words, best)) best = index;
  }
  return best;
}

function pauseBefore(words: readonly TextWord[], index: number): number {
  const [before, word] = [words[index - 1], words[index]];
  return before && word ? word.start - before.end : 0;
}
