/** A mark that follows a word, whatever it looks like in the word's script. `、` parts the items of a list. */
export type Mark = ',' | '、' | '.' | '?';

/** How scripts write the marks, where not as English does. */
const WRITTEN: ReadonlyMap<string, Partial<Record<Mark, string>>> = new Map([
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
const ELSEWHERE: Partial<Record<Mark, string>> = { '、': ',' };

/** The mark as a language writes it. @param tongue first part of its tag in lower case; null when unknown */
export function writeMark(mark: Mark, tongue: string | null): string {
  return (WRITTEN.get(tongue ?? '') ?? ELSEWHERE)[mark] ?? mark;
}
