/** Whether a model of these languages knows one. @param languages BCP 47 tags, or `any` */
export function serves(languages: readonly string[] | 'any', language: string): boolean {
  return languages === 'any' || languages.some((known) => primary(known) === primary(language));
}

function primary(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? '';
}
