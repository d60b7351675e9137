/** Whether a model of these languages knows one. @param languages BCP 47 tags, or `any` */
export function supportsLanguage(languages: readonly string[] | 'any', language: string): boolean {
  return languages === 'any' || languages.some((known) => primarySubtag(known) === primarySubtag(language));
}

function primarySubtag(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? '';
}
