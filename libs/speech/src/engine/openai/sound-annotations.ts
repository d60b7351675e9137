import { endsWithSentenceMark } from '../ends-with-sentence-mark.js';

/** Annotations in brackets of any kind. */
const SOUNDS =
  'silence|no speech|inaudible|unintelligible|music|noise|applause|laughter|laughing|laughs|coughs?|coughing|sighs?|beep|clicking|static|playing';
/** Words that people write in parentheses, but not in square brackets. */
const SOUNDS_IN_SQUARE_BRACKETS = `${SOUNDS}|blank audio|indistinct|crosstalk|pause|foreign language|noises|sounds?|clapping|cheering|chuckles?|giggles?|sniffs?|breathing|gasps?|crying|sobbing|whispering|singing|humming|beeps|beeping|clicks?|typing|ringing|rings|knocking|footsteps|barking|chirping|engine|wind|rain|thunder|(?:speaking|speaks)(?: in)?(?: [\\p{L}-]+){1,2}`;
const NOT_BEFORE_SOUND = 'to|the|and|of|my|your|no|or|for|i|you|he|she|we|they';
/** At most two words before a sound, and what it does: “upbeat electronic music playing”, not “to hear music”. */
const buildSoundPattern = (sounds: string): string => {
  const sound = String.raw`(?:(?!(?:${NOT_BEFORE_SOUND}) )[\p{L}'-]+ ){0,2}(?:${sounds})`;
  return String.raw`${sound}(?: and ${sound})?(?: (?:playing|continues|stops|fades|in background))?`;
};
const PARENTHESES = new RegExp(String.raw`^[(*♪](?:${buildSoundPattern(SOUNDS)})?[)*♪][.,!?]?$`, 'iu');
const SQUARE_BRACKETS = new RegExp(
  String.raw`^\[\s*(?:${buildSoundPattern(SOUNDS_IN_SQUARE_BRACKETS)})?\s*\][.,!?]?$`,
  'iu',
);
/** Tokens of whisper.cpp: `[_BEG_]`, `[_TT_50]`. Other capitals are marks for what was said, such as `[PHONE]`. */
const SPECIAL_TOKEN = /^\[_[\p{Lu}\p{N}_]*\][.,!?]?$/u;
const NOTES = /^[♪♫\s]+$/;
const ANNOTATIONS = [PARENTHESES, SQUARE_BRACKETS, SPECIAL_TOKEN, NOTES];
/** Square brackets with any text: nobody says a sentence in them, in any language. */
const ANY_SQUARE_BRACKETS = /^\[[^\]]*\][.,!?]?$/u;
const STARTS_WITH_LOWER_CASE = /^\P{L}*\p{Ll}/u;
/** Longer brackets are text. */
const MAX_WORDS = 5;
const OPENING = /^[[(*♪♫]/;

/**
 * Drops what Whisper writes for audio without speech: `[BLANK_AUDIO]`, `(upbeat music)`, `♪`.
 * @param words in order
 */
export function dropSoundAnnotations<W extends { text: string }>(words: readonly W[]): W[] {
  const kept: W[] = [];
  let isSentenceStart = true;
  for (let at = 0; at < words.length;) {
    const texts = words.slice(at, at + MAX_WORDS + 1).map(({ text }) => text);
    const length = measureAnnotation(texts, isSentenceStart);
    if (length === 0) kept.push(...words.slice(at, at + 1));
    isSentenceStart = length > 0 || endsWithSentenceMark(texts[0] ?? '');
    at += Math.max(length, 1);
  }
  return kept;
}

/**
 * How many of the words from the first on are an annotation; 0 if none is.
 * @param texts up to the word after the longest annotation
 */
function measureAnnotation(texts: readonly string[], isSentenceStart: boolean): number {
  if (!OPENING.test(texts[0] ?? '')) return 0;
  const lengths = texts.slice(0, MAX_WORDS).map((_, index) => index + 1);
  return (
    lengths.find((length) => {
      const text = texts.slice(0, length).join(' ');
      const spaced = text.replaceAll('_', ' ');
      if (ANNOTATIONS.some((pattern) => pattern.test(text) || pattern.test(spaced))) return true;
      return isSentenceStart && ANY_SQUARE_BRACKETS.test(text) && mayStartSentence(texts[length]);
    }) ?? 0
  );
}

function mayStartSentence(text: string | undefined): boolean {
  return text === undefined || text.startsWith('[') || !STARTS_WITH_LOWER_CASE.test(text);
}
