import { describe, expect, it } from 'vitest';
import { selectEncoding, type StaticFile } from './static-files.js';

const FILE: StaticFile = {
  contentType: 'text/css',
  plain: Buffer.from('plain'),
  encoded: new Map([
    ['br', Buffer.from('br')],
    ['gzip', Buffer.from('gzip')],
  ]),
};

describe('selectEncoding', () => {
  it.each([
    [undefined, 'plain', null],
    ['', 'plain', null],
    ['identity', 'plain', null],
    ['gzip, deflate, br, zstd', 'br', 'br'],
    ['gzip;q=0.8, br;q=0', 'gzip', 'gzip'],
    ['GZIP', 'gzip', 'gzip'],
    ['gzip; q=0.0', 'plain', null],
  ])('%s is answered with %s', (header, body, encoding) => {
    const selected = selectEncoding(FILE, header);
    expect([selected.body.toString(), selected.encoding]).toEqual([body, encoding]);
  });
});
