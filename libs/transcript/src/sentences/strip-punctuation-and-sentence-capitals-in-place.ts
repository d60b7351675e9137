import { extractPrimaryLanguageSubtag } from '../text/extract-primary-language-subtag.js';
import {
  CLAUSE_MARKS,
  CLOSING_MARKS,
  endsWithSentenceMark,
  SENTENCE_MARKS,
} from '../text/ends-with-sentence-mark.js';
import { toLowerCaseInLanguage } from '../text/letter-case.js';

interface WrittenWord {
  text: string;
  language: string | null;
}

/** A hyphen or dash before a digit is the sign of a number. */
const EDGE_MARKS = new RegExp(
  String.raw`^(?:[\p{Pi}»›\p{Ps}"¿¡…]|[–—-](?!\p{N}))+|[${CLOSING_MARKS}${SENTENCE_MARKS}${CLAUSE_MARKS}–—-]+$`,
  'gu',
);
/** Words that are written with a symbol, some of which count as punctuation in Unicode. */
const LETTER_OR_SYMBOL = /[\p{L}\p{N}\p{S}%‰&@#§]/u;
/** An apostrophe before or after a word may belong to it: “dogs'”, “'cause”. */
const ABBREVIATION = /^\p{L}(\.\p{L})+\.$/u;
const CAPITALISED = /^\p{Lu}[\p{Ll}'’-]*$/u;
const ENGLISH_PRONOUN = /^I(['’]|$)/;
/** Nouns have capitals: the first word of a sentence may be one. */
const CAPITALISED_NOUNS = new Set(['de', 'lb']);

/**
 * Removes what a punctuating engine adds to the spoken words: punctuation, and the capital of the first word of a sentence
 * unless it has one elsewhere, too. Words without letters, digits and symbols are dropped.
 * @param words changed in place
 */
export function stripPunctuationAndSentenceCapitalsInPlace<W extends WrittenWord>(words: readonly W[]): W[] {
  const capitals = listCapitalised(words);
  const kept: W[] = [];
  let opensSentence = true;
  for (const word of words) {
    const endsSentence = endsWithSentenceMark(word.text) && !ABBREVIATION.test(word.text);
    const bare = removeMarks(word.text);
    if (bare !== '') {
      word.text =
        opensSentence && losesCapital(bare, word.language, capitals)
          ? toLowerCaseInLanguage(bare, word.language)
          : bare;
      kept.push(word);
    }
    opensSentence = endsSentence || (bare === '' && opensSentence);
  }
  return kept;
}

function removeMarks(text: string): string {
  if (ABBREVIATION.test(text)) return text;
  const bare = text.replaceAll(EDGE_MARKS, '');
  return LETTER_OR_SYMBOL.test(bare) ? bare : '';
}

function losesCapital(word: string, language: string | null, capitals: ReadonlySet<string>): boolean {
  const isName = capitals.has(word) || ENGLISH_PRONOUN.test(word);
  return (
    CAPITALISED.test(word) && !isName && !CAPITALISED_NOUNS.has(extractPrimaryLanguageSubtag(language) ?? '')
  );
}

/** Words with a capital that do not open a sentence. */
function listCapitalised(words: readonly WrittenWord[]): Set<string> {
  const found = new Set<string>();
  let opensSentence = true;
  for (const { text } of words) {
    if (!opensSentence && /^\P{L}*\p{Lu}/u.test(text)) found.add(removeMarks(text));
    opensSentence = endsWithSentenceMark(text) && !ABBREVIATION.test(text);
  }
  return found;
}
