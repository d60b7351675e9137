/** Without the value, which may contain a password. @param address a valid URL */
export function findOpenaiBaseUrlProblems(address: string): string[] {
  const { username, password, pathname } = new URL(address);
  if (username !== '' || password !== '')
    return [
      'OPENAI_BASE_URL must be an address without user and password; a key for the server belongs in OPENAI_API_KEY',
    ];
  return /\/audio\/transcriptions\/*$/.test(pathname)
    ? [
        'OPENAI_BASE_URL must be the part of the address before /audio/transcriptions, such as https://api.openai.com/v1',
      ]
    : [];
}
