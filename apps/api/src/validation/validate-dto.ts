import { IncomingMessage } from 'node:http';
import { type FieldError, invalidField, ServiceError } from '@app/errors';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { type ValidationError, validateSync } from 'class-validator';
import type { ConcurrencyLimiter } from '../admission/concurrency-limiter.js';
import { recordIgnoredFields } from './ignored-fields.js';
import { readJsonBody, type JsonBodyLimits } from '../request-body/read-json-body.js';
import { hasDynamicFieldValidator } from './dynamic-field-validator.js';
import { type DtoClass, getDtoShape } from './dto-shape.js';

/**
 * The body of a request, read and judged here and not before: guards come first, so a caller without a key or over
 * its limit is told that and nothing else.
 */
export class JsonBodyPipe implements PipeTransform {
  constructor(
    private readonly limits: JsonBodyLimits,
    private readonly limiter: ConcurrencyLimiter,
  ) {}

  /** @throws ServiceError `validation_failed`, `service_unavailable` */
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body') return value;
    const given = await readJsonBody(value, this.limits, this.limiter);
    if (!isDto(metatype)) return given;
    if (value instanceof IncomingMessage) recordIgnoredFields(value, unknownFields(metatype, given));
    return validateDto(metatype, given);
  }
}

/** Names of fields that the DTO does not declare; none of what is no object. */
function unknownFields(dto: DtoClass, value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { fields } = getDtoShape(dto);
  return Object.keys(value).filter((name) => !fields.includes(name));
}

/**
 * A value against its DTO: unknown fields dropped, nothing converted, every refused field named. What the DTO does not
 * declare is not looked at, and a list that is too long is refused before its items are: neither costs time.
 * @throws ServiceError `validation_failed`
 */
export function validateDto<T extends object>(dto: new () => T, value: unknown = {}): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidField('body', 'must be a JSON object');
  const { fields, lists } = getDtoShape(dto);
  const instance = new dto() as Record<string, unknown>;
  for (const field of fields) {
    if (!Object.hasOwn(value, field)) continue;
    const given = (value as Record<string, unknown>)[field];
    const rule = lists.get(field);
    if (rule && Array.isArray(given) && given.length > rule.maxItems) throw invalidField(field, rule.message);
    instance[field] = given;
  }
  const errors = validateSync(instance, { forbidUnknownValues: true, stopAtFirstError: true });
  const found = [
    ...toFieldErrors(errors),
    ...(hasDynamicFieldValidator(dto) ? dto.fieldErrors(instance) : []),
  ];
  if (found.length > 0) throw validationError(found);
  return instance as T;
}

export function validationError(errors: FieldError[]): ServiceError {
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new ServiceError('validation_failed', { detail, errors });
}

/** A class of ours; what a parameter without one is declared as says nothing of its value. */
function isDto(metatype: ArgumentMetadata['metatype']): metatype is DtoClass {
  const plain: unknown[] = [undefined, Object, Array, String, Number, Boolean];
  return !plain.includes(metatype);
}

function toFieldErrors(errors: ValidationError[]): FieldError[] {
  return errors.flatMap(({ property, constraints }) =>
    Object.values(constraints ?? {}).map((message) => ({
      field: property,
      message: withoutName(message, property),
    })),
  );
}

/** The library begins its messages with the field's name, which already stands beside them. */
function withoutName(message: string, name: string): string {
  return message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
}
