const SENTENCE_END = /[.!?…。！？।۔؟]["'”’»)\]]*$/u;

/** Of any script; brackets and quotes may follow it. */
export function endsWithSentenceMark(text: string): boolean {
  return SENTENCE_END.test(text);
}
