import { ValidateBy } from 'class-validator';
import type { DtoClass } from './create-validated-dto.js';

export const NESTED_DTO_RULE_NAME = 'isNestedDto';

/** An object with the rules of another DTO. `createValidatedDto` validates and names its fields, as `field.nested`. */
export function NestedDto(dto: DtoClass): PropertyDecorator {
  return ValidateBy({
    name: NESTED_DTO_RULE_NAME,
    constraints: [dto],
    validator: {
      validate: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      defaultMessage: () => 'must be an object',
    },
  });
}
