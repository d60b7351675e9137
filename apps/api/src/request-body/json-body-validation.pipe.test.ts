import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { ServiceError } from '@app/errors';
import type { FastifyRequest } from 'fastify';
import { expect, it, vi } from 'vitest';
import { ConcurrencyLimiter } from '../admission/concurrency-limiter.js';
import { JsonBodyValidationPipe } from './json-body-validation.pipe.js';
import { registerRequestOfBody } from './request-of-body.js';

const limiter = new ConcurrencyLimiter({
  resource: 'bodies',
  ownerKind: 'account',
  maxTotal: 1_000,
  maxPerOwner: 1_000,
});
const pipe = new JsonBodyValidationPipe(
  { maxBytes: 100, timeoutMs: 10_000 },
  { json: limiter, unauthenticatedJson: limiter },
);

function sendBody(assertAccessUnchanged?: () => Promise<void>) {
  const body = new IncomingMessage(new Socket());
  body.headers = { 'content-type': 'application/json' };
  const session = { userId: 'u' };
  registerRequestOfBody(body, { session, assertAccessUnchanged } as unknown as FastifyRequest);
  return { body, transformed: pipe.transform(body, { type: 'body' }) };
}

it('checks the access of a request again once its body has arrived, and rejects it by that', async () => {
  const check = vi.fn().mockRejectedValue(new ServiceError('not_signed_in'));
  const { body, transformed } = sendBody(check);
  body.push('{}');
  await vi.waitFor(() => expect(body.readableLength).toBe(0));
  expect(check).not.toHaveBeenCalled();
  body.push(null);
  await expect(transformed).rejects.toMatchObject({ code: 'not_signed_in' });
});

it('JsonBodyValidationPipe returns the body of a request whose access has not changed, or is not checked', async () => {
  for (const check of [() => Promise.resolve(), undefined]) {
    const { body, transformed } = sendBody(check);
    body.push('{"a":1}');
    body.push(null);
    expect(await transformed).toEqual({ a: 1 });
  }
});
