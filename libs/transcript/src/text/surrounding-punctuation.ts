/** German closes quotations with what others open them with. */
const MARKS_BEFORE = /^[\p{Pi}\p{Pf}\p{Ps}"'¿¡]+/u;
const MARK_AFTER = String.raw`[\p{Pi}\p{Pf}\p{Pe}"'.,;:!?…。।።။។،؟۔，、！？；：]`;
/** Begins with the first mark only: from each of a long row within a word, the search would go through the rest of it. */
const MARKS_AFTER = new RegExp(`(?<!${MARK_AFTER})${MARK_AFTER}+$`, 'u');
const CLOSING: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '“': '”',
  '‘': '’',
  '«': '»',
  '„': '“',
  '»': '«',
  '‚': '‘',
  '‹': '›',
  '›': '‹',
};
const OPENING: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CLOSING).map(([opening, closing]) => [closing, opening]),
);

/** A word without the punctuation around it. */
export function stripSurroundingPunctuation(word: string): string {
  return word.replace(MARKS_BEFORE, '').replace(MARKS_AFTER, '');
}

/** The punctuation around a value, without brackets whose other half is within it: “(555) 123” has none. */
export function findMarksAround(value: string): { before: string; after: string } {
  const [before = ''] = MARKS_BEFORE.exec(value) ?? [];
  const rest = value.slice(before.length);
  const [after = ''] = MARKS_AFTER.exec(rest) ?? [];
  const inner = rest.slice(0, rest.length - after.length);
  const keep = (marks: string, others: Readonly<Record<string, string>>) =>
    [...marks].filter((mark) => !inner.includes(others[mark] ?? '\n')).join('');
  return { before: keep(before, CLOSING), after: keep(after, OPENING) };
}
