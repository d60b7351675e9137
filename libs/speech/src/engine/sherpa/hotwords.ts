import type { RecognizedWord } from '../engine.js';

export interface Hotwords {
  /** Phrases separated by slashes; undefined without any. */
  hotwords: string | undefined;
  /** How many terms cannot be spelled with the model's tokens. */
  unusedTerms: number;
  /** The usable terms, as the caller wrote them. */
  terms: string[];
}

const WORD_MARK = '▁';
/** Characters with a special meaning for the library. */
const RESERVED = /[/:#@\s]+/g;
const MARKS_AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** @param subwords token vocabulary of the model */
export function buildHotwords(vocabulary: readonly string[], subwords: ReadonlySet<string>): Hotwords {
  const phrases = new Set<string>();
  const terms: string[] = [];
  for (const term of vocabulary) {
    const clean = term.replaceAll(RESERVED, ' ').trim();
    const forms = [clean, clean.toLowerCase(), clean.toUpperCase(), capitalize(clean)];
    const spelled = forms.filter(
      (form) => isWord(form) && form.split(' ').every((word) => canSpell(word, subwords)),
    );
    if (spelled.length > 0) terms.push(term);
    for (const form of spelled) phrases.add(form);
  }
  const hotwords = phrases.size > 0 ? [...phrases].join('/') : undefined;
  return { hotwords, unusedTerms: vocabulary.length - terms.length, terms };
}

/** Ignores case and keeps surrounding punctuation. */
export function restoreTermSpelling(
  words: readonly RecognizedWord[],
  terms: readonly string[],
): RecognizedWord[] {
  const written = terms.map((term) => term.trim().split(/\s+/)).filter((parts) => parts.every(isWord));
  const restored: RecognizedWord[] = words.map((word) => ({ ...word }));
  for (let at = 0; at < restored.length; at += 1) {
    const term = written.find((parts) =>
      parts.every((part, index) => stripMarks(restored[at + index]?.text ?? '') === stripMarks(part)),
    );
    for (const part of term ?? []) {
      const word = restored[at];
      if (word) word.text = replaceCore(word.text, part);
      at += 1;
    }
    if (term) at -= 1;
  }
  return restored;
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

function capitalize(term: string): string {
  return term.toLowerCase().replaceAll(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
}

function stripMarks(text: string): string {
  return text.replaceAll(MARKS_AROUND, '').toLowerCase();
}

function replaceCore(recognized: string, term: string): string {
  const from = recognized.search(/[\p{L}\p{N}]/u);
  const core = recognized.replaceAll(MARKS_AROUND, '');
  return recognized.slice(0, from) + term + recognized.slice(from + core.length);
}
