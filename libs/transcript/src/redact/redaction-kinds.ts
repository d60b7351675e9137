export const REDACTION_KINDS = ['email', 'phone', 'card', 'iban', 'ip', 'url', 'number'] as const;
export type RedactionKind = (typeof REDACTION_KINDS)[number];

/** What stands in a transcript instead of the words. */
export function toRedactionMark(kind: RedactionKind): string {
  return `[${kind}]`;
}
