import { type InvalidField, createInvalidFieldError, createInvalidFieldsError } from '@app/errors';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import { NESTED_DTO_RULE_NAME } from './nested-dto.js';

export type DtoClass = new () => object;

/** The length limit of a list field. */
interface ListRule {
  maxItems: number;
  message: string;
}

/** The fields that the decorators of a DTO declare. */
export interface DtoMetadata {
  fields: readonly string[];
  lists: ReadonlyMap<string, ListRule>;
  /** The DTOs of fields that are objects. */
  nested: ReadonlyMap<string, DtoClass>;
}

/** A DTO class with caller-chosen field names, which decorators cannot name in an error. */
interface SelfValidatingDto {
  /** Errors besides those of the decorators; called with unvalidated values. */
  findFieldErrors(values: object): InvalidField[];
}

const metadataCache = new Map<DtoClass, DtoMetadata>();

/**
 * Creates a DTO from a value and validates it and the DTOs that it nests: drops unknown fields, converts nothing, names
 * every invalid field. A list that is too long is rejected before its items are validated, which bounds the time.
 * @throws ServiceError `validation_failed`
 */
export function createValidatedDto<T extends object>(dto: new () => T, value: unknown = {}): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw createInvalidFieldError('body', 'must be a JSON object');
  const { instance, errors } = readDto(dto, value);
  if (errors.length > 0) throw createInvalidFieldsError(errors);
  return instance;
}

function readDto<T extends object>(dto: new () => T, value: object): { instance: T; errors: InvalidField[] } {
  const { fields, lists, nested } = getDtoMetadata(dto);
  const scalars: Record<string, unknown> = {};
  const structures: Record<string, unknown> = {};
  const nestedErrors: InvalidField[] = [];
  for (const field of fields) {
    if (!Object.hasOwn(value, field)) continue;
    const fieldValue = (value as Record<string, unknown>)[field];
    const rule = lists.get(field);
    if (rule && Array.isArray(fieldValue) && fieldValue.length > rule.maxItems)
      throw createInvalidFieldError(field, rule.message);
    const nestedDto = nested.get(field);
    if (nestedDto && typeof fieldValue === 'object' && fieldValue !== null && !Array.isArray(fieldValue)) {
      const { instance, errors } = readDto(nestedDto, fieldValue);
      structures[field] = instance;
      nestedErrors.push(...errors.map((error) => ({ ...error, field: `${field}.${error.field}` })));
    } else (typeof fieldValue === 'object' ? structures : scalars)[field] = fieldValue;
  }
  // class-transformer would copy lists and objects recursively: ten thousand parts, or nesting that overflows the stack.
  const instance = Object.assign(plainToInstance(dto, scalars), structures);
  const validationErrors = validateSync(instance, { forbidUnknownValues: true, stopAtFirstError: true });
  const errors = [
    ...toFieldErrors(validationErrors),
    ...nestedErrors,
    ...(isSelfValidatingDto(dto) ? dto.findFieldErrors(instance) : []),
  ];
  return { instance, errors };
}

export function getDtoMetadata(dto: DtoClass): DtoMetadata {
  let metadata = metadataCache.get(dto);
  if (!metadata) metadataCache.set(dto, (metadata = collectDtoMetadata(dto)));
  return metadata;
}

function collectDtoMetadata(dto: DtoClass): DtoMetadata {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const lists = rules
    .filter(({ name }) => name === 'arrayMaxSize')
    .map(({ propertyName, constraints, message }): [string, ListRule] => [
      propertyName,
      { maxItems: Number(constraints[0]), message: typeof message === 'string' ? message : 'is too long' },
    ]);
  const nested = rules
    .filter(({ name }) => name === NESTED_DTO_RULE_NAME)
    .map(({ propertyName, constraints }): [string, DtoClass] => [propertyName, constraints[0] as DtoClass]);
  const fields = [...new Set(rules.map(({ propertyName }) => propertyName))];
  return { fields, lists: new Map(lists), nested: new Map(nested) };
}

function isSelfValidatingDto(dto: object): dto is SelfValidatingDto {
  return 'findFieldErrors' in dto && typeof dto.findFieldErrors === 'function';
}

function toFieldErrors(errors: ValidationError[]): InvalidField[] {
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
