/** Two or three letters, as `pt` of `pt-BR`; null without one. */
export function extractPrimaryLanguageSubtag(language: string | null): string | null {
  return /^[a-z]{2,3}(?![a-z])/i.exec(language ?? '')?.[0].toLowerCase() ?? null;
}
