import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readAudioBody, parseAudioContentType, assertContentLengthInRange } from './audio-body.js';

const limits = { maxBytes: 10, bytesPerSecond: 0, idleTimeoutMs: 60_000 };
const countBodyBytes = async (body: unknown) => {
  let size = 0;
  for await (const chunk of readAudioBody(body, limits)) size += chunk.byteLength;
  return size;
};

describe('parseAudioContentType', () => {
  it.each([
    ['audio/wav', 'audio/wav'],
    ['Audio/OGG; codecs=opus', 'audio/ogg'],
    ['audio/x-wav', 'audio/x-wav'],
    ['audio/vnd.wave', 'audio/vnd.wave'],
    ['video/webm', 'video/webm'],
    ['application/ogg', 'application/ogg'],
    [undefined, 'application/octet-stream'],
  ])('parses %s as %s', (declared, type) => {
    expect(parseAudioContentType({ 'content-type': declared })).toBe(type);
  });

  it.each(['application/json', 'audio', 'audio/', 'audio/*', `audio/${'x'.repeat(200)}`, '', ';'])(
    'rejects %j and names the header',
    (declared) => {
      expect(() => parseAudioContentType({ 'content-type': declared })).toThrow(
        /^Content-Type: must be audio/,
      );
    },
  );

  it.each(Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase()))(
    'rejects %s and names the header',
    (declared) => {
      expect(() => parseAudioContentType({ 'content-type': declared })).toThrow(
        /^Content-Type: must be audio/,
      );
    },
  );

  it.each([
    ['multipart/form-data; boundary=x', /raw bytes: curl -X POST -T FILE/],
    ['application/x-www-form-urlencoded', /-H 'Content-Type: application\/octet-stream'/],
  ])('rejects %s with advice on what to send instead', (declared, advice) => {
    expect(() => parseAudioContentType({ 'content-type': declared })).toThrow(advice);
  });
});

describe('assertDeclaredLength', () => {
  it.each([
    ['a length', { 'content-length': '10' }],
    ['no length but chunks', { 'transfer-encoding': 'chunked' }],
  ])('accepts %s', (_, headers) => {
    expect(() => assertContentLengthInRange(headers, 10)).not.toThrow();
  });

  it.each([
    ['no body', {}, 422],
    ['an empty body', { 'content-length': '0' }, 422],
    ['too much', { 'content-length': '11' }, 413],
  ])('rejects %s', (_, headers, status) => {
    expect(() => assertContentLengthInRange(headers, 10)).toThrow(expect.objectContaining({ status }));
  });
});

describe('readAudioBody', () => {
  it('passes a body within the limit', async () => {
    expect(await countBodyBytes(Readable.from([Buffer.alloc(4), Buffer.alloc(6)]))).toBe(10);
  });

  it.each([
    ['a body that grows too large', Readable.from([Buffer.alloc(6), Buffer.alloc(6)]), 413],
    ['a body without a byte', Readable.from([Buffer.alloc(0)]), 422],
    ['no body at all', undefined, 422],
  ])('rejects %s', async (_, body, status) => {
    await expect(countBodyBytes(body)).rejects.toMatchObject({ status });
  });
});
