import { describe, expect, it } from 'vitest';
import { fillBaseHref } from './fill-base-href.js';

const BUILT = '<head><base href="/console/" /></head>';

describe('the base of a built page', () => {
  it.each([
    ['https://speech.example', '/console/'],
    ['https://speech.example/', '/console/'],
    ['https://example.org/speech/', '/speech/console/'],
    ['https://example.org/a"b', '/a%22b/console/'],
  ])('has the path prefix of %s', (publicUrl, base) => {
    expect(fillBaseHref(BUILT, '/console/', publicUrl)).toBe(`<head><base href="${base}" /></head>`);
  });

  it('must exist', () => {
    expect(() => fillBaseHref(BUILT, '/docs/guide/', 'https://speech.example')).toThrow('/docs/guide/');
  });
});
