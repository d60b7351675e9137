const SENTENCE_END = /[.!?…。！？।۔؟။។።][\p{Pi}\p{Pf}\p{Pe}"']*$/u;

/** Knows the marks of any script; brackets and quotes may follow them. */
export function endsWithSentenceMark(text: string): boolean {
  return SENTENCE_END.test(text);
}
