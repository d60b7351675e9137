/** For a character class: scripts whose spaces separate phrases, not words. */
export const PHRASE_SPACED_SCRIPTS = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** Scripts that put no space between words, with the long vowel and repetition marks that several of them share. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}${PHRASE_SPACED_SCRIPTS}\u3099\u309a\u30fc\uff70`;
const UNSPACED_SCRIPT = new RegExp(`[${UNSPACED}]`, 'u');
const WIDE_MARKS = String.raw`\u3001-\u3004\u3008-\u3020\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65`;
const RUNS_OF_ONE_KIND = new RegExp(`[${UNSPACED}]+|[${WIDE_MARKS}]+|[^${UNSPACED}${WIDE_MARKS}]+`, 'gu');
const OPENING_MARK = /[\p{Ps}\p{Pi}]/u;
/** Marks around words. Those that are parts of words are left out, as in `#5`, `@name` and `50%`. */
const MARKS = String.raw`[\p{Ps}\p{Pi}\p{Pe}\p{Pf}"、。，．！？：；・·…‥,.!?:;〜～—–]*`;
const MARKS_AND_CORE = new RegExp(`^(${MARKS})(.*?)(${MARKS})$`, 'su');
const LETTER = /[\p{L}\p{N}]/u;
/** Marks that are characters of a script, such as the full stops of Burmese and Khmer. */
const MARKS_OF_SCRIPT = /^\p{P}+$/u;

/** Splits at spaces, and text without spaces by Unicode segmentation. Punctuation stays attached. */
export function splitIntoWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((piece) => piece !== '')
    .flatMap((piece) => (containsUnspacedScript(piece) ? splitUnspacedText(piece) : [piece]));
}

export function removeSpaces(text: string): string {
  return text.replaceAll(/\s/g, '');
}

export function containsUnspacedScript(text: string): boolean {
  return UNSPACED_SCRIPT.test(text);
}

let segmenter: Intl.Segmenter | undefined;

/** Words of spaced scripts within the text stay whole. */
function splitUnspacedText(text: string): string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const words = new WordCollector();
  for (const [run] of text.matchAll(RUNS_OF_ONE_KIND)) {
    if (containsUnspacedScript(run)) {
      for (const { segment } of segmenter.segment(run)) {
        if (MARKS_OF_SCRIPT.test(segment)) words.append(segment);
        else words.add(segment);
      }
      continue;
    }
    const [, before = '', core = '', after = ''] = MARKS_AND_CORE.exec(run) ?? [];
    for (const mark of before) words.addMark(mark);
    if (LETTER.test(core)) words.add(core);
    else words.append(core);
    for (const mark of after) words.addMark(mark);
  }
  return words.finish();
}

/** Marks that open belong to the next word, all others to the one before. */
class WordCollector {
  private readonly words: string[] = [];
  private opening = '';
  private isInStraightQuotes = false;

  add(word: string): void {
    this.words.push(this.opening + word);
    this.opening = '';
  }

  addMark(mark: string): void {
    if (mark === '"') this.isInStraightQuotes = !this.isInStraightQuotes;
    if (OPENING_MARK.test(mark) || (mark === '"' && this.isInStraightQuotes)) this.opening += mark;
    else this.append(mark);
  }

  append(text: string): void {
    if (this.opening !== '' || this.words.length === 0) this.opening += text;
    else this.words[this.words.length - 1] += text;
  }

  finish(): string[] {
    const rest = this.opening;
    this.opening = '';
    if (rest !== '' && this.words.length === 0) this.add(rest);
    else this.append(rest);
    return this.words;
  }
}
