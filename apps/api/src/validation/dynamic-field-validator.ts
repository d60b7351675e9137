import type { FieldError } from '@app/errors';

/** A DTO class with fields whose names the caller chooses: decorators cannot name them in an error. */
export interface DynamicFieldValidator {
  /** What is wrong beside what the decorators find; called on values of any type. */
  fieldErrors(values: object): FieldError[];
}

export function hasDynamicFieldValidator(dto: object): dto is DynamicFieldValidator {
  return 'fieldErrors' in dto && typeof dto.fieldErrors === 'function';
}
