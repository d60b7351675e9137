const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export interface EstimatedWord {
  text: string;
  start: number;
  end: number;
}

/** Distributes the time between the words by length. */
export function estimateWordTimes(text: string, start: number, end: number): EstimatedWord[] {
  return distributeTimeByLength(
    splitIntoWords(text).map((word) => ({ text: word })),
    start,
    end,
  );
}

export function distributeTimeByLength<W extends { text: string }>(
  words: readonly W[],
  start: number,
  end: number,
): (W & EstimatedWord)[] {
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  let before = 0;
  return words.map((word) => {
    const from = start + ((end - start) * before) / length;
    before += word.text.length;
    return { ...word, start: from, end: start + ((end - start) * before) / length };
  });
}

/** Splits at spaces, and unspaced scripts by Unicode segmentation. Punctuation stays attached. */
export function splitIntoWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((piece) => piece !== '')
    .flatMap((piece) => (UNSPACED_SCRIPT.test(piece) ? segmentUnspacedText(piece) : [piece]));
}

export function hasUnspacedScript(text: string): boolean {
  return UNSPACED_SCRIPT.test(text);
}

let segmenter: Intl.Segmenter | undefined;

function segmentUnspacedText(text: string): string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const parts: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const last = parts.at(-1);
    if (last === undefined || (isWordLike && /[\p{L}\p{N}]/u.test(last))) parts.push(segment);
    else parts[parts.length - 1] = last + segment;
  }
  return parts;
}

/** Tolerates rounding errors: 0.29 stays 0.29. @param seconds not negative */
export function floorToMilliseconds(seconds: number): number {
  return Math.floor(seconds * 1000 + 1e-6) / 1000;
}
