import { isOutsideSpeech } from './hallucinated-words.js';
import type { TimelineWord, WordTimeline } from './timeline.js';

/** Word times of engines are not more accurate. */
const SAME_TIME_SECONDS = 0.5;

type Channel = Pick<WordTimeline, 'words' | 'speech'>;

/**
 * Engines transcribe faint crosstalk in the pauses of a channel. A word of a pause is dropped if another channel has it at the same time,
 * in speech of its own. Words whose times are only estimated stay.
 * @param channels words in order of time
 * @returns the words of each channel
 */
export function dropCrosstalkWords(channels: readonly Channel[]): (readonly TimelineWord[])[] {
  if (channels.length < 2) return channels.map(({ words }) => words);
  const spoken = channels.map(({ words, speech }) =>
    words.filter((word) => !isOutsideSpeech(word, speech.get(word.chunk))),
  );
  return channels.map(({ words, speech }, channel) => {
    const finders = spoken.filter((_, other) => other !== channel).map((other) => new WordFinder(other));
    return words.filter(
      (word) =>
        word.estimated ||
        !isOutsideSpeech(word, speech.get(word.chunk)) ||
        !finders.some((finder) => finder.hasAtSameTime(word)),
    );
  });
}

/** Must be asked for words in order of time. */
class WordFinder {
  private first = 0;

  constructor(private readonly words: readonly TimelineWord[]) {}

  hasAtSameTime({ text, start, end }: TimelineWord): boolean {
    const letters = normalizeLetters(text);
    while ((this.words[this.first]?.end ?? Infinity) < start - SAME_TIME_SECONDS) this.first += 1;
    for (let index = this.first; index < this.words.length; index += 1) {
      const other = this.words[index];
      if (!other || other.start > end + SAME_TIME_SECONDS) return false;
      if (letters !== '' && normalizeLetters(other.text) === letters) return true;
    }
    return false;
  }
}

function normalizeLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
}
