const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** `english` for `en`, as OpenAI names languages; `unknown` if none was detected, because clients expect a string. */
export function toLanguageName(code: string | null): string {
  return (code === null ? undefined : findDisplayName(code))?.toLowerCase() ?? 'unknown';
}

function findDisplayName(code: string): string | undefined {
  try {
    return NAMES.of(code);
  } catch {
    return code;
  }
}
