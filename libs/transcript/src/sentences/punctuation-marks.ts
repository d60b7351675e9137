/** Marks regardless of the script. `、` separates the items of a list. */
export type PunctuationMark = ',' | '、' | '.' | '?';

/** Whether it ends a sentence. */
export function isSentenceMark(mark: PunctuationMark | null | undefined): boolean {
  return mark === '.' || mark === '?';
}

/** The marks of languages in which they differ from English. */
const MARKS_BY_LANGUAGE: ReadonlyMap<string, Partial<Record<PunctuationMark, string>>> = new Map([
  ['zh', { ',': '，', '.': '。', '?': '？' }],
  ['yue', { ',': '，', '.': '。', '?': '？' }],
  ['ja', { ',': '、', '.': '。', '?': '？' }],
  ['hi', { '、': ',', '.': '।' }],
  ['bn', { '、': ',', '.': '।' }],
  ['ne', { '、': ',', '.': '।' }],
  ['km', { '、': ',', '.': '។' }],
  ['my', { '、': ',', '.': '။' }],
  ['am', { '、': ',', '.': '።' }],
  ['ur', { ',': '،', '、': '،', '.': '۔', '?': '؟' }],
  ['ar', { ',': '،', '、': '،', '?': '؟' }],
  ['fa', { ',': '،', '、': '،', '?': '؟' }],
  ['th', { ',': '', '、': '', '.': '' }],
  ['lo', { ',': '', '、': '', '.': '' }],
]);
const DEFAULT_MARKS: Partial<Record<PunctuationMark, string>> = { '、': ',' };

/** @param languageCode first part of its tag in lower case; null when unknown */
export function localizePunctuationMark(mark: PunctuationMark, languageCode: string | null): string {
  return (MARKS_BY_LANGUAGE.get(languageCode ?? '') ?? DEFAULT_MARKS)[mark] ?? mark;
}
