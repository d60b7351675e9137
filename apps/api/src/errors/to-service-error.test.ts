import { ServiceError } from '@app/errors';
import { QueueUnavailableError } from '@app/jobs';
import { ObjectMissing, StoreUnavailable } from '@app/storage';
import { BadRequestException, NotFoundException } from '@nestjs/common';
import { errorCodes } from 'fastify';
import { describe, expect, it } from 'vitest';
import { toServiceError } from './to-service-error.js';

const away = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });

describe('what a caller is told of an error', () => {
  it('is a refusal as it was meant', () => {
    const refusal = new ServiceError('insufficient_credits', { detail: 'Top up.' });
    expect(toServiceError(refusal)).toBe(refusal);
  });

  it.each([away, new StoreUnavailable('away'), new QueueUnavailableError('away')])(
    'is 503 with a time to come back for a dependency that is away (%#)',
    (error) => {
      expect(toServiceError(error)).toMatchObject({ status: 503, retryAfter: 2, detail: undefined });
    },
  );

  it('is 404 for an object that is gone, without its key', () => {
    const { status, code, message, detail } = toServiceError(new ObjectMissing('transcripts/of/somebody'));
    expect([status, code]).toEqual([404, 'object_not_found']);
    expect(`${message} ${detail}`).not.toContain('somebody');
  });

  it.each([
    [new NotFoundException(), 404],
    [new BadRequestException(), 422],
    [new errorCodes.FST_ERR_VALIDATION('body'), 422],
  ])('is one of the statuses of the routes for what the framework refuses (%#)', (error, status) => {
    expect(toServiceError(error).status).toBe(status);
  });

  it.each([new Error('SELECT secret'), 'SELECT secret', undefined, null])(
    'is 500 and nothing else for a defect (%#)',
    (error) => {
      const { status, message, detail } = toServiceError(error);
      expect(status).toBe(500);
      expect(`${message} ${detail}`).not.toContain('secret');
    },
  );
});
