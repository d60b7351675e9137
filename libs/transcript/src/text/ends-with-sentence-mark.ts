const SENTENCE_END = /[.!?…。！？।۔؟။។።][\p{Pe}\p{Pf}"']*$/u;

/** Of any script; brackets and quotes may follow it. */
export function endsWithSentenceMark(text: string): boolean {
  return SENTENCE_END.test(text);
}
