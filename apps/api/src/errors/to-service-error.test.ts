import { ServiceError } from '@app/errors';
import { QueueUnavailableError } from '@app/jobs';
import { ObjectNotFoundError, StoreUnavailableError } from '@app/storage';
import { BadRequestException, NotFoundException } from '@nestjs/common';
import { errorCodes } from 'fastify';
import { describe, expect, it } from 'vitest';
import { toServiceError } from './to-service-error.js';

const connectionError = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), {
  code: 'ECONNREFUSED',
});

describe('toServiceError', () => {
  it('returns a ServiceError unchanged', () => {
    const error = new ServiceError('insufficient_credits', { detail: 'Top up.' });
    expect(toServiceError(error)).toBe(error);
  });

  it.each([connectionError, new StoreUnavailableError('away'), new QueueUnavailableError('away')])(
    'maps an unavailable dependency to 503 with Retry-After (%#)',
    (error) => {
      expect(toServiceError(error)).toMatchObject({ status: 503, retryAfter: 2, detail: undefined });
    },
  );

  it('maps a missing object to 404 without disclosing its key', () => {
    const { status, code, message, detail } = toServiceError(
      new ObjectNotFoundError('transcripts/of/somebody'),
    );
    expect([status, code]).toEqual([404, 'object_not_found']);
    expect(`${message} ${detail}`).not.toContain('somebody');
  });

  it.each([
    [new NotFoundException(), 404],
    [new BadRequestException(), 422],
    [new errorCodes.FST_ERR_VALIDATION('body'), 422],
  ])('maps a framework error to a status that the routes document (%#)', (error, status) => {
    expect(toServiceError(error).status).toBe(status);
  });

  it.each([new Error('SELECT secret'), 'SELECT secret', undefined, null])(
    'maps an unexpected error to 500 without disclosing its text (%#)',
    (error) => {
      const { status, message, detail } = toServiceError(error);
      expect(status).toBe(500);
      expect(`${message} ${detail}`).not.toContain('secret');
    },
  );
});
