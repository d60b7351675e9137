/** Scripts without spaces between words. */
const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export interface EstimatedWord {
  text: string;
  start: number;
  end: number;
}

/**
 * The words of a text that was said between two moments, each with the share of that time that its letters are of the
 * text. An estimate: who uses it says so (`timesEstimated` of the result).
 */
export function estimateWordTimes(text: string, start: number, end: number): EstimatedWord[] {
  return distributeTime(
    splitIntoWords(text).map((word) => ({ text: word })),
    start,
    end,
  );
}

/** As `estimateWordTimes`, of words that are parted already. */
export function distributeTime<W extends { text: string }>(
  words: readonly W[],
  start: number,
  end: number,
): (W & EstimatedWord)[] {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  let before = 0;
  return words.map((word) => {
    const from = start + ((end - start) * before) / letters;
    before += word.text.length;
    return { ...word, start: from, end: start + ((end - start) * before) / letters };
  });
}

/** Parted at spaces, and within scripts that have none as the rules of Unicode part them; marks stay with a word. */
export function splitIntoWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((piece) => piece !== '')
    .flatMap((piece) => (UNSPACED_SCRIPT.test(piece) ? segmentUnspacedText(piece) : [piece]));
}

/** True where the text has letters of a script without spaces. */
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
