import { isCommonWord } from '../common-words.js';

export interface HotwordSelection {
  /** Phrases separated by slashes; undefined without any. */
  hotwords: string | undefined;
  /** How many terms cannot be spelled with the model's tokens. */
  unusedTermCount: number;
  /** The usable terms, as the caller wrote them. */
  terms: string[];
}

const WORD_MARK = '▁';
/** Characters with a special meaning for the library. */
const RESERVED = /[/:#@\s]+/g;

/** @param subwords token vocabulary of the model */
export function selectHotwords(
  vocabulary: readonly string[],
  subwords: ReadonlySet<string>,
): HotwordSelection {
  const phrases = new Set<string>();
  const terms: string[] = [];
  for (const term of vocabulary) {
    const clean = term.replaceAll(RESERVED, ' ').trim();
    const forms = [clean, clean.toLowerCase(), clean.toUpperCase(), capitalize(clean)];
    const spelled = forms.filter(
      (form) =>
        isWord(form) && !isOwnCommonWord(form) && form.split(' ').every((word) => canSpell(word, subwords)),
    );
    if (spelled.length > 0) terms.push(term);
    for (const form of spelled) phrases.add(form);
  }
  const hotwords = phrases.size > 0 ? [...phrases].join('/') : undefined;
  return { hotwords, unusedTermCount: vocabulary.length - terms.length, terms };
}

function isWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function canSpell(word: string, subwords: ReadonlySet<string>): boolean {
  const whole = WORD_MARK + word;
  const reached = new Set([0]);
  for (const from of reached) {
    for (let to = from + 1; to <= whole.length; to += 1)
      if (subwords.has(whole.slice(from, to))) reached.add(to);
  }
  return reached.has(whole.length);
}

/** Boosting `us` for the term `US` would put it in place of other words. */
function isOwnCommonWord(form: string): boolean {
  return form === form.toLowerCase() && isCommonWord(form);
}

function capitalize(term: string): string {
  return term.toLowerCase().replaceAll(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
}
