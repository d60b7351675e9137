// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/;
/** Embeddings, overrides and isolates: a name with one looks like another name, and reorders the text around it. */
const DIRECTION_CHARACTERS = /[\u202a-\u202e\u2066-\u2069]/;

/** No control characters and no lone surrogates, which databases and output formats cannot store. */
export function isStorableText(value: unknown): boolean {
  return typeof value === 'string' && value.isWellFormed() && !CONTROL_CHARACTERS.test(value);
}

/** For names and short texts: characters that change the direction of the text count as control characters. */
export function isPrintableText(value: unknown): boolean {
  return isStorableText(value) && !DIRECTION_CHARACTERS.test(value as string);
}
