// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/;
/** Embeddings, overrides and isolates: a name with one looks like another name, and reorders the text around it. */
const DIRECTION_CHARACTERS = /[\u202a-\u202e\u2066-\u2069]/;
/** Also the control characters above ASCII, which some terminals obey. */
const CONTROL_AND_DIRECTION_CHARACTERS = new RegExp(`\\p{Cc}|${DIRECTION_CHARACTERS.source}`, 'gu');

/** No control characters and no lone surrogates, which databases and output formats cannot store. */
export function isTextWithoutControlCharacters(value: unknown): boolean {
  return typeof value === 'string' && value.isWellFormed() && !CONTROL_CHARACTERS.test(value);
}

/** For names and short texts: characters that change the direction of the text count as control characters. */
export function isPrintableText(value: unknown): boolean {
  return isTextWithoutControlCharacters(value) && !DIRECTION_CHARACTERS.test(value as string);
}

/** @param replace gets each control character and each character that changes the direction of the text */
export function replaceControlAndDirectionCharacters(
  text: string,
  replace: (character: string) => string,
): string {
  return text.replaceAll(CONTROL_AND_DIRECTION_CHARACTERS, replace);
}
