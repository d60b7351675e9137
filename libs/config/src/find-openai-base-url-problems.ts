/** Without the value, which may contain a password. @param text a valid URL */
export function findOpenaiBaseUrlProblems(text: string): string[] {
  const { username, password, pathname } = new URL(text);
  if (username !== '' || password !== '')
    return [
      'OPENAI_BASE_URL must be a URL without user and password; a key for the server belongs in OPENAI_API_KEY',
    ];
  return /\/audio\/transcriptions\/*$/.test(pathname)
    ? [
        'OPENAI_BASE_URL must be the part of the URL before /audio/transcriptions, such as https://api.openai.com/v1',
      ]
    : [];
}
