/** Nobody says square brackets; parentheses may be punctuation, so only known annotations count in them. */
const SQUARE_BRACKETS = /^\[[^\]]*\][.,!?]?$/;
const PARENTHESES =
  /^[(*♪](?:silence|no speech|inaudible|unintelligible|(?:.* )?(?:music|noise|applause|laughter|laughing|laughs|coughs?|coughing|sighs?|beep|clicking|static|playing))?[)*♪][.,!?]?$/i;
const NOTES = /^[♪♫\s]+$/;
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
      return SQUARE_BRACKETS.test(text) || PARENTHESES.test(text) || NOTES.test(text);
    }) ?? 0
  );
}
