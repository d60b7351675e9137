import type { FieldError } from '@app/errors';

/** A DTO class with caller-chosen field names, which decorators cannot name in an error. */
export interface DynamicFieldValidator {
  /** Errors besides those of the decorators; called with unvalidated values. */
  fieldErrors(values: object): FieldError[];
}

export function hasDynamicFieldValidator(dto: object): dto is DynamicFieldValidator {
  return 'fieldErrors' in dto && typeof dto.fieldErrors === 'function';
}
