import { describe, expect, it } from 'vitest';
import { parseSafeReturnPath } from './return-path.ts';

describe('parseSafeReturnPath', () => {
  it.each([
    '/',
    '/jobs',
    '/jobs?status=failed&text=a%20b',
    '/jobs?text=a+b',
    '/jobs?text=*.wav',
    '/jobs/0193a5c0-0000-7000-8000-000000000000',
  ])('accepts %s', (path) => expect(parseSafeReturnPath(path)).toBe(path));

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/..//evil.example',
    '/%2e%2e//evil.example',
    '/jobs/..//evil.example',
    '/jobs//evil.example',
    '/console/../../evil',
    'javascript:alert(1)',
    '/@evil.example',
    '/jobs+*',
    '/sign-in?return=/jobs',
    7,
    undefined,
  ])('refuses %s', (path) => expect(parseSafeReturnPath(path)).toBeNull());
});
