import { expect, it } from 'vitest';
import { loadConfig, resolveRequireTwoFactors } from './load-config.js';

it.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ HOST: '::1' }, false],
  [{ HOST: '0.0.0.0' }, false],
  [{ HOST: '::' }, false],
  [{ HOST: '192.168.1.7' }, true],
  [{ HOST: 'speech.example.com' }, true],
  [{ HOST: '192.168.1.7', PUBLIC_URL: 'http://localhost:3000' }, true],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://127.0.0.1:3000' }, false],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://speech.example.com' }, true],
  [{ HOST: '192.168.1.7', REQUIRE_TWO_FACTORS: 'false' }, false],
  [{ PUBLIC_URL: 'http://localhost:3000' }, false],
  [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, false],
  [{ PUBLIC_URL: 'http://[::1]:3000' }, false],
  [{ PUBLIC_URL: 'http://speech.localhost' }, false],
  [{ PUBLIC_URL: 'https://speech.example.com' }, true],
  [{ PUBLIC_URL: 'http://192.168.1.7:3000' }, true],
  [{ PUBLIC_URL: 'https://localhost.example.com' }, true],
  [{ PUBLIC_URL: 'https://speech.example.com', REQUIRE_TWO_FACTORS: 'false' }, false],
  [{ REQUIRE_TWO_FACTORS: 'true' }, true],
])('with %j, two factors are required: %s', (env, isRequired) =>
  expect(resolveRequireTwoFactors(loadConfig(env))).toBe(isRequired),
);
