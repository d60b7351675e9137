import { IncomingMessage } from 'node:http';
import { type FieldError, invalidFieldError, ServiceError } from '@app/errors';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { type ValidationError, validateSync } from 'class-validator';
import type { ConcurrencyLimiter } from '../admission/concurrency-limiter.js';
import { recordIgnoredFields } from './ignored-fields.js';
import { readJsonBody, type JsonBodyLimits } from '../request-body/read-json-body.js';
import { hasDynamicFieldValidator } from './dynamic-field-validator.js';
import { type DtoClass, getDtoShape } from './dto-shape.js';

/**
 * Reads and validates a JSON body after the guards, so that a caller without a key or over its rate limit gets that
 * error first.
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
    if (!isDtoClass(metatype)) return given;
    if (value instanceof IncomingMessage) recordIgnoredFields(value, findUnknownFields(metatype, given));
    return validateDto(metatype, given);
  }
}

/** Names of fields that the DTO does not declare; empty for values other than objects. */
function findUnknownFields(dto: DtoClass, value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { fields } = getDtoShape(dto);
  return Object.keys(value).filter((name) => !fields.includes(name));
}

/**
 * Validates a value against its DTO: drops unknown fields, converts nothing, names every invalid field. A list that is
 * too long is rejected before its items are validated, which bounds the time.
 * @throws ServiceError `validation_failed`
 */
export function validateDto<T extends object>(dto: new () => T, value: unknown = {}): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidFieldError('body', 'must be a JSON object');
  const { fields, lists } = getDtoShape(dto);
  const instance = new dto() as Record<string, unknown>;
  for (const field of fields) {
    if (!Object.hasOwn(value, field)) continue;
    const given = (value as Record<string, unknown>)[field];
    const rule = lists.get(field);
    if (rule && Array.isArray(given) && given.length > rule.maxItems)
      throw invalidFieldError(field, rule.message);
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

/** A parameter without a DTO has a built-in type as its metatype. */
function isDtoClass(metatype: ArgumentMetadata['metatype']): metatype is DtoClass {
  const plain: unknown[] = [undefined, Object, Array, String, Number, Boolean];
  return !plain.includes(metatype);
}

function toFieldErrors(errors: ValidationError[]): FieldError[] {
  return errors.flatMap(({ property, constraints }) =>
    Object.values(constraints ?? {}).map((message) => ({
      field: property,
      message: stripFieldName(message, property),
    })),
  );
}

/** class-validator prefixes messages with the field name, which is reported separately. */
function stripFieldName(message: string, name: string): string {
  return message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
}
