const SENTENCE_END = /[.!?…。！？।۔؟]["'”’»)\]]*$/u;

/** Whether the text ends with a mark that ends sentences, in any script; brackets and quotes may follow it. */
export function endsWithSentenceMark(text: string): boolean {
  return SENTENCE_END.test(text);
}
