import { IncomingMessage } from 'node:http';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { RequestConcurrencyLimiters } from '../admission/request-concurrency-limiters.js';
import { createValidatedDto, type DtoClass, getDtoMetadata } from '../validation/create-validated-dto.js';
import { recordIgnoredFields } from '../validation/ignored-fields.js';
import { getJsonBodyMemoryOwner } from './json-body-memory-owner.js';
import { type JsonBodyLimits, readJsonBody } from './read-json-body.js';
import { getRequestOfBody, type GuardedRequest } from './request-of-body.js';

/** Bytes of the largest JSON body without a key or session: sign-in, invitations, passwords. */
const MAX_UNAUTHENTICATED_BYTES = 16 * 2 ** 10;

/**
 * Reads and validates a JSON body after the guards, so that a caller without a key or over its rate limit gets that
 * error first. A session may end, and a role change, while the body is on its way; both are therefore checked again.
 */
export class JsonBodyValidationPipe implements PipeTransform {
  constructor(
    private readonly limits: JsonBodyLimits,
    private readonly limiters: Pick<RequestConcurrencyLimiters, 'json' | 'unauthenticatedJson'>,
  ) {}

  /** @throws ServiceError `validation_failed`, `service_unavailable` */
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body') return value;
    const body = value instanceof IncomingMessage ? await this.read(value) : value;
    if (!isDtoClass(metatype)) return body;
    if (value instanceof IncomingMessage) {
      const names = [...listUnknownFields(metatype, body), ...listQueryParameters(value)];
      recordIgnoredFields(value, names);
    }
    return createValidatedDto(metatype, body);
  }

  private async read(body: IncomingMessage): Promise<unknown> {
    const request = getRequestOfBody(body);
    const parsed = await this.parse(body, request);
    await request.assertAccessUnchanged?.();
    return parsed;
  }

  private parse(body: IncomingMessage, request: GuardedRequest): Promise<unknown> {
    const { owner, isAuthenticated } = getJsonBodyMemoryOwner(request);
    const { json, unauthenticatedJson } = this.limiters;
    if (isAuthenticated) return readJsonBody(body, this.limits, json, owner);
    const maxBytes = Math.min(this.limits.maxBytes, MAX_UNAUTHENTICATED_BYTES);
    return readJsonBody(body, { ...this.limits, maxBytes }, unauthenticatedJson, owner);
  }
}

/** A parameter without a DTO has a built-in type as its metatype. */
function isDtoClass(metatype: ArgumentMetadata['metatype']): metatype is DtoClass {
  const builtIns: unknown[] = [undefined, Object, Array, String, Number, Boolean];
  return !builtIns.includes(metatype);
}

/** Routes with a JSON body have no parameters in their query. */
function listQueryParameters({ url = '' }: IncomingMessage): string[] {
  const at = url.indexOf('?');
  if (at < 0) return [];
  return [...new Set(new URLSearchParams(url.slice(at)).keys())].map((name) => `query.${name}`);
}

function listUnknownFields(dto: DtoClass, body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const { fields } = getDtoMetadata(dto);
  return Object.keys(body).filter((name) => !fields.includes(name));
}
