/** Annotations in brackets of any kind. */
const SOUNDS =
  'silence|no speech|inaudible|unintelligible|music|noise|applause|laughter|laughing|laughs|coughs?|coughing|sighs?|beep|clicking|static|playing';
/** Words that people write in parentheses, but not in square brackets. */
const SOUNDS_IN_SQUARE_BRACKETS = `${SOUNDS}|blank audio|indistinct|crosstalk|pause|foreign language|noises|sounds?|clapping|cheering|chuckles?|giggles?|sniffs?|breathing|gasps?|crying|sobbing|whispering|singing|humming|beeps|beeping|clicks?|typing|ringing|rings|knocking|footsteps|barking|chirping|engine|wind|rain|thunder|(?:speaking|speaks)(?: in)?(?: [\\p{L}-]+){1,2}`;
/** At most one word before the sound, and what it does: “upbeat music playing”, not “to hear music”. */
const describe = (sounds: string): string =>
  String.raw`(?:(?!(?:to|the|and|of|my|your|no|or|for) )[\p{L}'-]+ )?(?:${sounds})(?: (?:playing|continues|stops|fades|in background))?`;
const PARENTHESES = new RegExp(String.raw`^[(*♪](?:${describe(SOUNDS)})?[)*♪][.,!?]?$`, 'iu');
const SQUARE_BRACKETS = new RegExp(
  String.raw`^\[\s*(?:${describe(SOUNDS_IN_SQUARE_BRACKETS)})?\s*\][.,!?]?$`,
  'iu',
);
const CAPITALS_IN_SQUARE_BRACKETS = /^\[[\p{Lu}\p{N}_\s'-]*\][.,!?]?$/u;
const NOTES = /^[♪♫\s]+$/;
const ANNOTATIONS = [PARENTHESES, SQUARE_BRACKETS, CAPITALS_IN_SQUARE_BRACKETS, NOTES];
/** Longer brackets are text. */
const MAX_WORDS = 5;
const OPENING = /^[[(*♪♫]/;

/**
 * Without what Whisper writes for audio without speech: `[BLANK_AUDIO]`, `(upbeat music)`, `♪`.
 * @param words in order
 */
export function dropSoundAnnotations<W extends { text: string }>(words: readonly W[]): W[] {
  const kept: W[] = [];
  for (let at = 0; at < words.length;) {
    const length = measureAnnotation(words.slice(at, at + MAX_WORDS).map(({ text }) => text));
    if (length === 0) kept.push(...words.slice(at, at + 1));
    at += Math.max(length, 1);
  }
  return kept;
}

/** How many of the words from the first on are an annotation; 0 if none is. */
function measureAnnotation(texts: readonly string[]): number {
  if (!OPENING.test(texts[0] ?? '')) return 0;
  const lengths = texts.map((_, index) => index + 1);
  return (
    lengths.find((length) => {
      const text = texts.slice(0, length).join(' ');
      return ANNOTATIONS.some((pattern) => pattern.test(text));
    }) ?? 0
  );
}
