/** Printable ASCII without spaces needs no cleaning. */
const PLAIN = /^[\x21-\x7e]*$/;
/** Controls, non-characters, byte order marks and forced directions, which no format represents safely. */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- controls are what it looks for
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Noncharacter_Code_Point}/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const SPACE = /[\s\u0085]+/gu;

/** Gives one line that is safe in JSON, XML, subtitles and plain text. Lone surrogates become U+FFFD. Idempotent. */
export function sanitizeToSingleLine(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNSAFE, '').replace(LONE_SURROGATE, '\ufffd').replace(SPACE, ' ').trim();
}
