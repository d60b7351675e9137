import { isAmbiguousNumberWord, parseSpokenDigits } from '../numbers/spoken-digits.js';
import { isSentenceMark, type PunctuationMark } from '../sentences/punctuation-marks.js';
import { extractPrimaryLanguageSubtag } from '../text/extract-primary-language-subtag.js';
import { CLAUSE_MARKS, CLOSING_MARKS, SENTENCE_MARKS } from '../text/ends-with-sentence-mark.js';
import { toUpperCaseInLanguage } from '../text/letter-case.js';
import { stripSurroundingPunctuation } from '../text/surrounding-punctuation.js';

/** Sounds that are words of no language that is transcribed here. */
const EVERYWHERE = ['uh', 'uhh', 'uhm', 'umm', 'ummm', 'erm', 'ehm', 'ähm', 'öhm', 'hmm', 'hmmm', 'mmm'];

/** In other languages some of these are words: German “um”, “er” and “eh”, Portuguese “um”. */
const BY_LANGUAGE: Record<string, readonly string[]> = {
  en: ['um', 'er', 'hm', 'mm', 'ahm'],
  de: ['äh', 'öh', 'hm', 'mm'],
  fr: ['euh', 'heu', 'hum'],
  es: ['eh', 'em', 'eeh', 'mm'],
  it: ['eh', 'em', 'mm'],
  nl: ['eh', 'hm', 'mm'],
  sv: ['öh', 'eh', 'hm'],
  ja: ['えっと', 'えーと', 'ええと', 'えー'],
  zh: ['呃', '嗯'],
};

const COMMON: ReadonlySet<string> = new Set(EVERYWHERE);
const PUNCTUATION = /[\p{P}\s]/gu;
const SENTENCE_END = new RegExp(`[${SENTENCE_MARKS}][${CLOSING_MARKS}']*$`, 'u');
const CLAUSE_MARK_AT_END = new RegExp(`[${CLAUSE_MARKS}]?$`, 'u');

const CAPITALISED = /^\P{L}*\p{Lu}/u;

/** Abbreviations are spelled like fillers: “ER” and “E.R.” are a department, “UM” is a university. */
const ABBREVIATION = /^\P{L}*\p{Lu}{2,}\P{L}*$/u;
const DOTTED_ABBREVIATION = /^\P{L}*(\p{L}\.){2}/u;
/** Fillers that mean yes if they are the whole answer. */
const ANSWERS = new Set(['嗯']);
/** After a number such as “35”, “mm” is a unit. */
const NUMBER = /\p{N}\P{L}*$/u;

interface SpokenWord {
  text: string;
  language: string | null;
  /** Mark that a model sets after the word; not in its text. */
  mark?: PunctuationMark | null;
}

/**
 * Leaves out hesitations. The end of a sentence moves to the word before, and its capital to the word after.
 * @param words changed in place
 */
export function dropFillersMutatingWords<W extends SpokenWord>(words: readonly W[]): W[] {
  const kept: W[] = [];
  const hasLowerCase = words.some(({ text }) => /\p{Ll}/u.test(text));
  let atSentenceStart = true;
  let owesCapital = false;
  for (const [index, word] of words.entries()) {
    const end = SENTENCE_END.exec(word.text)?.[0];
    const isAbbreviation =
      DOTTED_ABBREVIATION.test(word.text) || (hasLowerCase && ABBREVIATION.test(word.text));
    const isAnswer =
      atSentenceStart &&
      (end !== undefined || isSentenceMark(word.mark) || words.length === 1) &&
      ANSWERS.has(stripSurroundingPunctuation(word.text));
    if (isAbbreviation || isAnswer || !isFiller(word, words[index - 1])) {
      if (owesCapital)
        word.text = word.text.replace(/\p{Ll}/u, (letter) => toUpperCaseInLanguage(letter, word.language));
      kept.push(word);
      [atSentenceStart, owesCapital] = [end !== undefined, false];
      continue;
    }
    moveMark(word, kept.at(-1));
    if (end !== undefined) {
      const previous = kept.at(-1);
      if (previous && !atSentenceStart) previous.text = previous.text.replace(CLAUSE_MARK_AT_END, end);
      [atSentenceStart, owesCapital] = [true, false];
    } else owesCapital ||= atSentenceStart && CAPITALISED.test(word.text);
  }
  return kept;
}

function isFiller({ text, language }: SpokenWord, before: SpokenWord | undefined): boolean {
  const sound = text.toLowerCase().replaceAll(PUNCTUATION, '');
  if (sound === '' || (sound === 'mm' && before !== undefined && isNumber(before))) return false;
  const base = extractPrimaryLanguageSubtag(language) ?? '';
  return COMMON.has(sound) || (BY_LANGUAGE[base]?.includes(sound) ?? false);
}

/** Whether the word is a number in digits, or one in letters that no mark follows and that certainly counts: not “No one. Mm, yes.” */
function isNumber({ text, language, mark }: SpokenWord): boolean {
  if (NUMBER.test(text)) return true;
  const base = extractPrimaryLanguageSubtag(language);
  const isFollowedByMark = mark != null || /\p{P}$/u.test(text);
  const bare = stripSurroundingPunctuation(text);
  return !isFollowedByMark && parseSpokenDigits(bare, base) !== null && !isAmbiguousNumberWord(bare, base);
}

/** The end of a sentence replaces a comma. */
function moveMark({ mark }: SpokenWord, to: SpokenWord | undefined): void {
  if (mark == null || !to || isSentenceMark(to.mark)) return;
  if (to.mark == null || isSentenceMark(mark)) to.mark = mark;
}
