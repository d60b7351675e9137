import { describe, expect, it } from 'vitest';
import { InvalidConfigError, loadConfig } from './load-config.js';

function problemsOf(openaiBaseUrl: string): string[] {
  try {
    loadConfig({ OPENAI_BASE_URL: openaiBaseUrl });
    return [];
  } catch (error) {
    return (error as InvalidConfigError).problems;
  }
}

describe('OPENAI_BASE_URL', () => {
  it.each(['http://gpu:8000/v1', 'https://gpu/v1/?api-version=2024-06-01', 'https://gpu/audio'])(
    'may be %s',
    (url) => expect(problemsOf(url)).toEqual([]),
  );

  it.each(['http://user:pa55@gpu/v1', 'http://user@gpu/v1', 'http://:pa55@gpu/v1'])(
    'must not be %s, with a user or a password, which are not repeated',
    (url) =>
      expect(problemsOf(url)).toEqual([
        'OPENAI_BASE_URL must be a URL without user and password; a key for the server belongs in OPENAI_API_KEY',
      ]),
  );

  it.each(['ftp://user:pa55@gpu/v1', 'user:pa55@gpu/v1'])(
    'must not be %s, whose password is not repeated either',
    (url) => expect(problemsOf(url).join()).toMatch(/^OPENAI_BASE_URL must be a URL(?!.*pa55)/),
  );

  it.each(['https://gpu/v1/audio/transcriptions', 'https://gpu/v1/audio/transcriptions/?a=b'])(
    'must not be %s, the URL of the route',
    (url) =>
      expect(problemsOf(url)).toEqual([
        'OPENAI_BASE_URL must be the part of the URL before /audio/transcriptions, such as https://api.openai.com/v1',
      ]),
  );
});
