/** Sounds that are words of no language that is transcribed here. */
const EVERYWHERE = ['uh', 'uhh', 'uhm', 'umm', 'ummm', 'erm', 'ehm', 'ähm', 'öhm', 'hmm', 'hmmm', 'mmm'];

/** In other languages some of these are words: German “um” and “er”, Portuguese “um”. */
const BY_LANGUAGE: Record<string, readonly string[]> = {
  en: ['um', 'er', 'hm', 'mm', 'ahm'],
  de: ['äh', 'öh', 'eh', 'hm', 'mm'],
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
const SENTENCE_END = /[.?!…。？！]["”’)]?$/u;

const CAPITALISED = /^\P{L}*\p{Lu}/u;

interface SpokenWord {
  text: string;
  language: string | null;
}

/**
 * Leaves out hesitations. The end of a sentence moves to the word before, and its capital to the word after.
 * @param words changed in place
 */
export function dropFillersMutatingWords<W extends SpokenWord>(words: readonly W[]): W[] {
  const kept: W[] = [];
  let atSentenceStart = true;
  let owesCapital = false;
  for (const word of words) {
    const end = SENTENCE_END.exec(word.text)?.[0];
    if (!isFiller(word)) {
      if (owesCapital) word.text = word.text.replace(/\p{Ll}/u, (letter) => letter.toUpperCase());
      kept.push(word);
      [atSentenceStart, owesCapital] = [end !== undefined, false];
    } else if (end !== undefined) {
      const previous = kept.at(-1);
      if (previous && !atSentenceStart) previous.text = previous.text.replace(/[,;:]?$/, end);
      [atSentenceStart, owesCapital] = [true, false];
    } else owesCapital ||= atSentenceStart && CAPITALISED.test(word.text);
  }
  return kept;
}

function isFiller({ text, language }: SpokenWord): boolean {
  const sound = text.toLowerCase().replaceAll(PUNCTUATION, '');
  if (sound === '') return false;
  const base = language?.split('-')[0] ?? '';
  return COMMON.has(sound) || (BY_LANGUAGE[base]?.includes(sound) ?? false);
}
