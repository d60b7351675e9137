import { expect, it } from 'vitest';
import { resolveServerUrl } from './resolve-server-url.js';

it.each([
  ['http://gpu:8000/v1', 'http://gpu:8000/v1/models'],
  ['http://gpu:8000/v1//', 'http://gpu:8000/v1/models'],
  ['http://gpu:8000', 'http://gpu:8000/models'],
  ['https://gpu/v1?api-version=2024-06-01', 'https://gpu/v1/models?api-version=2024-06-01'],
  ['https://gpu/v1/?route=a/', 'https://gpu/v1/models?route=a/'],
  ['https://gpu/v1#part', 'https://gpu/v1/models'],
])('the path is appended to the path of %s', (baseUrl, url) =>
  expect(resolveServerUrl(baseUrl, '/models')).toBe(url),
);

it('a name in the path stays encoded', () =>
  expect(resolveServerUrl('http://gpu/v1?a=b', `/models/${encodeURIComponent('a/b?c')}`)).toBe(
    'http://gpu/v1/models/a%2Fb%3Fc?a=b',
  ));
