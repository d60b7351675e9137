import { isOutsideSpeech } from './hallucinated-words.js';
import type { TimelineWord, WordTimeline } from './timeline.js';

/** Word times of engines are not more accurate. */
const SAME_TIME_SECONDS = 0.5;
/** One word that both channels have is as often the answer of the other speaker. */
const MIN_WORDS = 2;
/** What somebody repeats follows what was said before. */
const MIN_OVERLAP_SHARE = 0.5;

type Channel = Pick<WordTimeline, 'words' | 'speech'>;
type Span = Pick<TimelineWord, 'start' | 'end'>;

/**
 * Engines transcribe faint crosstalk in the pauses of a channel. Words of a pause are dropped if another channel has the same ones, at
 * least two in a row, at the same time, in speech of its own. Words near own speech without words stay, because they may belong to it, and
 * so do words whose times are only estimated.
 * @param channels words in order of time
 * @returns the words of each channel
 */
export function dropCrosstalkWords(channels: readonly Channel[]): (readonly TimelineWord[])[] {
  if (channels.length < 2) return channels.map(({ words }) => words);
  const spoken = channels.map(({ words, speech }) =>
    words.filter((word) => !isOutsideSpeech(word, speech.get(word.chunk))),
  );
  return channels.map((channel, index) => {
    const others = spoken.filter((_, other) => other !== index);
    const dropped = findCrosstalkWords(channel, others);
    return channel.words.filter((word) => !dropped.has(word));
  });
}

/** @param others what is said on the other channels */
function findCrosstalkWords(channel: Channel, others: readonly TimelineWord[][]): Set<TimelineWord> {
  const finders = others.map((words) => new RunFinder(words));
  const wordless = findSpeechWithoutWords(channel);
  const dropped = new Set<TimelineWord>();
  for (const pause of listPauses(channel))
    for (let at = 0; at < pause.length; at += 1) {
      const rest = pause.slice(at);
      const run = rest.slice(0, Math.max(...finders.map((finder) => finder.countSameWords(rest))));
      const [first] = run;
      if (!first || !isOutsideSpeech(toSpan(run), wordless.get(first.chunk), SAME_TIME_SECONDS)) continue;
      for (const word of run) dropped.add(word);
      at += run.length - 1;
    }
  return dropped;
}

/** The measured words of each pause that has some. */
function listPauses({ words, speech }: Channel): TimelineWord[][] {
  const pauses: TimelineWord[][] = [];
  let last: TimelineWord | undefined;
  for (const word of words) {
    const spans = speech.get(word.chunk);
    const isInPause = !word.estimated && isOutsideSpeech(word, spans);
    if (
      isInPause &&
      last?.chunk === word.chunk &&
      isOutsideSpeech({ start: last.end, end: word.start }, spans)
    )
      pauses.at(-1)?.push(word);
    else if (isInPause) pauses.push([word]);
    last = isInPause ? word : undefined;
  }
  return pauses;
}

/** By chunk. */
function findSpeechWithoutWords({ words, speech }: Channel): Map<number, Span[]> {
  const wordsByChunk = new Map<number, TimelineWord[]>();
  for (const word of words) {
    const own = wordsByChunk.get(word.chunk) ?? [];
    own.push(word);
    wordsByChunk.set(word.chunk, own);
  }
  return new Map(
    [...speech].map(([chunk, spans]) => [
      chunk,
      spans.filter((span) => wordsByChunk.get(chunk)?.every((word) => isOutsideSpeech(word, [span]))),
    ]),
  );
}

/** Must be asked for words in order of time. */
class RunFinder {
  private first = 0;

  constructor(private readonly words: readonly TimelineWord[]) {}

  /** @returns how many of the words, from the first one, are said here at the same time; 0 if too few */
  countSameWords(words: readonly TimelineWord[]): number {
    const [{ start, end } = { start: 0, end: 0 }] = words;
    while ((this.words[this.first]?.end ?? Infinity) < start - SAME_TIME_SECONDS) this.first += 1;
    let longest = 0;
    for (let at = this.first; (this.words[at]?.start ?? Infinity) <= end + SAME_TIME_SECONDS; at += 1) {
      const differing = words.findIndex((word, index) => !isSameWord(word, this.words[at + index]));
      const count = differing === -1 ? words.length : differing;
      if (
        count >= Math.max(MIN_WORDS, longest + 1) &&
        overlaps(toSpan(words.slice(0, count)), toSpan(this.words.slice(at, at + count)))
      )
        longest = count;
    }
    return longest;
  }
}

function isSameWord({ text, start, end }: TimelineWord, other: TimelineWord | undefined): boolean {
  const letters = normalizeLetters(text);
  return (
    other !== undefined &&
    letters !== '' &&
    letters === normalizeLetters(other.text) &&
    other.end >= start - SAME_TIME_SECONDS &&
    other.start <= end + SAME_TIME_SECONDS
  );
}

function overlaps(run: Span, other: Span): boolean {
  const shared = Math.min(run.end, other.end) - Math.max(run.start, other.start);
  return shared >= MIN_OVERLAP_SHARE * (run.end - run.start);
}

function toSpan(words: readonly TimelineWord[]): Span {
  return { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
}

function normalizeLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
}
