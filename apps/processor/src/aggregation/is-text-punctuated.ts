import type { TimelineWord } from '@app/transcript';

/** A text of so many words has a mark, if its engine writes any. */
const MIN_WORDS = 30;
/** Scripts without capitals may have none: Thai separates sentences by spaces. */
const WORD_WITH_CASED_LETTER = /\p{Lu}|\p{Ll}/u;
const ENDS_WITH_MARK = /[.,;:?!…][\p{Pe}\p{Pf}"']*$/u;

/** Whether there is any mark at the end of a word, or too little text to say. */
export function isTextPunctuated(timelines: readonly { words: readonly TimelineWord[] }[]): boolean {
  let words = 0;
  for (const { words: listed } of timelines)
    for (const { text } of listed) {
      if (ENDS_WITH_MARK.test(text)) return true;
      if (WORD_WITH_CASED_LETTER.test(text)) words += 1;
    }
  return words < MIN_WORDS;
}
