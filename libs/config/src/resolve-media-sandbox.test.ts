import { expect, it } from 'vitest';
import { loadConfig, resolveMediaSandboxMode } from './load-config.js';

it.each([
  [{}, 'prefer'],
  [{ HOST: 'localhost', PUBLIC_URL: 'http://127.0.0.1:3000' }, 'prefer'],
  [{ HOST: '::1' }, 'prefer'],
  [{ HOST: '0.0.0.0' }, 'require'],
  [{ PUBLIC_URL: 'https://speech.example' }, 'require'],
  [{ HOST: '0.0.0.0', MEDIA_SANDBOX: 'prefer' }, 'prefer'],
  [{ MEDIA_SANDBOX: 'require' }, 'require'],
])('%j makes the sandbox %s', (env, mode) => {
  expect(resolveMediaSandboxMode(loadConfig(env))).toBe(mode);
});
