const SENTENCE_END = /[.!?。！？…।۔؟။።][\p{Pe}\p{Pf}"']*$/u;

/** Knows the marks of any script; brackets and quotes may follow them. */
export function endsWithSentenceMark(text: string): boolean {
  return SENTENCE_END.test(text);
}
