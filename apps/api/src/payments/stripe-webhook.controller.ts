import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CARD_PAYMENTS_TOKEN, type CardPayments } from '@app/billing';
import { SkipApiKeyGuard, readClientAddress, toClientNetwork } from '@app/auth';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { RequestConcurrencyLimiters } from '../admission/request-concurrency-limiters.js';
import { BodyStalledError, BodyTooLargeError, limitBody } from '../request-body/limit-body.js';

/** Events of Stripe are smaller and faster. */
const LIMITS = { maxBytes: 2 ** 20, idleTimeoutMs: 10_000, bytesPerSecond: 65_536 };

/** Receives the events of Stripe, which authenticate by their signature over the exact bytes. */
@SkipApiKeyGuard()
@ApiExcludeController()
@Controller('webhooks/stripe')
export class StripeWebhookController {
  constructor(
    @Inject(CARD_PAYMENTS_TOKEN) private readonly cards: CardPayments | null,
    private readonly admission: RequestConcurrencyLimiters,
  ) {}

  @Post()
  @HttpCode(200)
  async receive(@Req() request: FastifyRequest): Promise<{ received: true }> {
    if (!this.cards) throw new ServiceError('not_found');
    const signature = request.raw.headers['stripe-signature'];
    if (typeof signature !== 'string') throw createInvalidFieldError('Stripe-Signature', 'is missing');
    const size = Math.min(Number(request.raw.headers['content-length'] ?? LIMITS.maxBytes), LIMITS.maxBytes);
    // Whoever sends it is a stranger until the signature was verified.
    const owner = toClientNetwork(readClientAddress(request));
    const body = await this.admission.unauthenticatedJson.run(owner, () => readBody(request), size);
    if (!(await this.cards.handleWebhook(body, signature)))
      throw createInvalidFieldError('Stripe-Signature', 'is not valid for this body, or too old');
    return { received: true };
  }
}

async function readBody({ body }: FastifyRequest): Promise<Buffer> {
  try {
    return await buffer(limitBody(body instanceof Readable ? body : Readable.from([]), LIMITS));
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw createInvalidFieldError('body', 'is too large');
    if (error instanceof BodyStalledError) throw createInvalidFieldError('body', 'did not arrive in time');
    throw error;
  }
}
