/** Emoji, and what Unicode calls wide and fullwidth. */
const WIDE =
  /[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\p{sc=Tangut}\p{sc=Nushu}\u3000-\u303e\u30fb\u30fc\u3200-\u33ff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6]/u;
const HALFWIDTH = /[\uff61-\uffdc]/u;
/** Marks, joiners, and the vowels and finals of decomposed Hangul. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
/** Makes an emoji, which is wide, of the character before it. */
const EMOJI_VARIATION = '\uFE0F';

const graphemes = new Intl.Segmenter();

/**
 * The beginning of a text that takes at most the given number of cells of a terminal. Terminals differ about joined emoji: these count with all
 * their parts, so that the line never wraps.
 */
export function truncateToWidth(text: string, cells: number): string {
  let [end, width] = [0, 0];
  for (const { segment } of graphemes.segment(text)) {
    width += [...segment].reduce((sum, character) => sum + getWidth(character), 0);
    if (width > cells) break;
    end += segment.length;
  }
  return text.slice(0, end);
}

function getWidth(character: string): number {
  if (character === EMOJI_VARIATION) return 1;
  if (WITHOUT_WIDTH.test(character)) return 0;
  return WIDE.test(character) && !HALFWIDTH.test(character) ? 2 : 1;
}
