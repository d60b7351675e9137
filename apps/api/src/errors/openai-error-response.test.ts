import { ERROR_CATALOGUE, type ErrorCode, createInvalidFieldError, ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { isOpenAiApiPath, toOpenAiErrorResponse } from './openai-error-response.js';

describe('isOpenAiApiPath', () => {
  it.each(['/v1', '/v1/', '/v1/audio/translations', '/v1?x', '/v1/%E0%A4%A'])(
    'returns true for %s',
    (url) => {
      expect(isOpenAiApiPath(url)).toBe(true);
    },
  );

  it.each(['/', '/v10/models', '/api/v1/jobs', '/x?y=/v1/'])('returns false for %s', (url) => {
    expect(isOpenAiApiPath(url)).toBe(false);
  });
});

describe('toOpenAiErrorResponse', () => {
  it('names the invalid field in param', () => {
    expect(toOpenAiErrorResponse(createInvalidFieldError('stream', 'must be false'))).toMatchObject({
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
  ] as const)('maps %s to %i %s %s', (code, status, type, expectedCode) => {
    const { status: responseStatus, body } = toOpenAiErrorResponse(new ServiceError(code));
    expect([responseStatus, body.error.type, body.error.code]).toEqual([status, type, expectedCode]);
    expect(body.error).toMatchObject({ message: ERROR_CATALOGUE[code].title, param: null });
  });

  it('forbids retries only for insufficient_credits', () => {
    const retry = (code: ErrorCode) =>
      toOpenAiErrorResponse(new ServiceError(code)).headers['x-should-retry'];
    expect([
      retry('insufficient_credits'),
      retry('rate_limit_exceeded'),
      retry('service_unavailable'),
    ]).toEqual(['false', undefined, undefined]);
  });
});
