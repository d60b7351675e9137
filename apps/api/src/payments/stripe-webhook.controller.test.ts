import { PassThrough } from 'node:stream';
import type { CardPayments } from '@app/billing';
import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { ConcurrencyLimiter } from '../admission/concurrency-limiter.js';
import { RequestConcurrencyLimiters } from '../admission/request-concurrency-limiters.js';
import { StripeWebhookController } from './stripe-webhook.controller.js';

const MIB = 2 ** 20;

function createRequest(ip: string, body: PassThrough): FastifyRequest {
  const headers = { 'stripe-signature': 't=1,v1=00', 'content-length': String(MIB) };
  return { ip, socket: {}, raw: { headers }, body } as unknown as FastifyRequest;
}

it('connections that send nothing keep out neither the events of Stripe nor callers with a key', async () => {
  const limiters = Array.from(
    { length: 4 },
    () =>
      new ConcurrencyLimiter({
        resource: 'bodies',
        ownerKind: 'network',
        maxTotal: 4 * MIB,
        maxPerOwner: MIB,
      }),
  );
  const admission = new RequestConcurrencyLimiters(...(limiters as [never, never, never, never]));
  const cards = { handleWebhook: async () => true } as unknown as CardPayments;
  const controller = new StripeWebhookController(cards, admission);
  const silent = new PassThrough();
  const stranger = controller.receive(createRequest('203.0.113.7', silent));
  await expect(controller.receive(createRequest('203.0.113.7', new PassThrough()))).rejects.toMatchObject({
    code: 'concurrency_limit_exceeded',
  });
  const event = new PassThrough();
  event.end('{}');
  expect(await controller.receive(createRequest('203.0.113.8', event))).toEqual({ received: true });
  expect(admission.json.inUse).toBe(0);
  expect(admission.unauthenticatedJson.inUse).toBe(MIB);
  silent.end();
  await stranger;
  expect(admission.unauthenticatedJson.inUse).toBe(0);
});
