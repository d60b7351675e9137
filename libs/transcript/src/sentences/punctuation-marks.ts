/** A mark that follows a word, whatever it looks like in the word's script. `、` parts the items of a list. */
export type PunctuationMark = ',' | '、' | '.' | '?';

/** How scripts write the marks, where not as English does. */
const MARKS_BY_LANGUAGE: ReadonlyMap<string, Partial<Record<PunctuationMark, string>>> = new Map([
  ['zh', { ',': '，', '.': '。', '?': '？' }],
  ['yue', { ',': '，', '.': '。', '?': '？' }],
  ['ja', { ',': '、', '.': '。', '?': '？' }],
  ['hi', { '、': ',', '.': '।' }],
  ['ur', { ',': '،', '、': '،', '.': '۔', '?': '؟' }],
  ['ar', { ',': '،', '、': '،', '?': '؟' }],
  ['fa', { ',': '،', '、': '،', '?': '؟' }],
  ['th', { ',': '', '、': '', '.': '' }],
  ['lo', { ',': '', '、': '', '.': '' }],
]);
const DEFAULT_MARKS: Partial<Record<PunctuationMark, string>> = { '、': ',' };

/** The mark as a language writes it. @param languageCode first part of its tag in lower case; null when unknown */
export function formatMark(mark: PunctuationMark, languageCode: string | null): string {
  return (MARKS_BY_LANGUAGE.get(languageCode ?? '') ?? DEFAULT_MARKS)[mark] ?? mark;
}
