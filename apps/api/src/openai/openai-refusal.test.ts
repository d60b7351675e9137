import { CATALOGUE, type ErrorCode, invalidField, ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { isOpenAiAddress, openAiRefusal } from './openai-refusal.js';

describe('isOpenAiAddress', () => {
  it.each(['/v1', '/v1/', '/v1/audio/translations', '/v1?x', '/v1/%E0%A4%A'])('is true of %s', (url) => {
    expect(isOpenAiAddress(url)).toBe(true);
  });

  it.each(['/', '/v10/models', '/api/v1/jobs', '/x?y=/v1/'])('is false of %s', (url) => {
    expect(isOpenAiAddress(url)).toBe(false);
  });
});

describe('openAiRefusal', () => {
  it('blames the field', () => {
    expect(openAiRefusal(invalidField('stream', 'must be false'))).toMatchObject({
      status: 400,
      body: {
        error: {
          message: 'stream: must be false',
          type: 'invalid_request_error',
          param: 'stream',
          code: 'validation_failed',
        },
      },
    });
  });

  it.each([
    ['invalid_api_key', 401, 'invalid_request_error', 'invalid_api_key'],
    ['insufficient_credits', 429, 'insufficient_quota', 'insufficient_quota'],
    ['rate_limit_exceeded', 429, 'requests', 'rate_limit_exceeded'],
    ['not_found', 404, 'invalid_request_error', 'unknown_url'],
    ['file_too_large', 413, 'invalid_request_error', 'file_too_large'],
    ['internal_error', 500, 'server_error', 'internal_error'],
    ['service_unavailable', 503, 'server_error', 'service_unavailable'],
  ] as const)('tells %s as %i %s %s', (code, status, type, told) => {
    const { status: answered, body } = openAiRefusal(new ServiceError(code));
    expect([answered, body.error.type, body.error.code]).toEqual([status, type, told]);
    expect(body.error).toMatchObject({ message: CATALOGUE[code].title, param: null });
  });

  it('asks to come back for everything but credit', () => {
    const retry = (code: ErrorCode) => openAiRefusal(new ServiceError(code)).headers['x-should-retry'];
    expect([
      retry('insufficient_credits'),
      retry('rate_limit_exceeded'),
      retry('service_unavailable'),
    ]).toEqual(['false', undefined, undefined]);
  });
});
