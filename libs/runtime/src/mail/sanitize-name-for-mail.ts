const MAX_LENGTH = 80;

/** A name of an account or a person for a mail: without line breaks, and not so long that it hides the rest. */
export function sanitizeNameForMail(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, MAX_LENGTH);
}
