const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** `english` for `en`, as OpenAI names languages; `unknown` where none was detected: its clients expect a text. */
export function toLanguageName(code: string | null): string {
  return (code === null ? undefined : nameOf(code))?.toLowerCase() ?? 'unknown';
}

function nameOf(code: string): string | undefined {
  try {
    return NAMES.of(code);
  } catch {
    return code;
  }
}
