import { type InvalidField, createInvalidFieldsError } from '@app/errors';

const MAX_REPORTED_ERRORS = 20;

/**
 * Validates every item of a list whose length is already validated.
 * @param validateItem returns the errors of one item; `field` is relative to the item, empty for the item itself.
 * @throws ServiceError 422 naming `list.index.field`, for the first errors only.
 */
export function assertValidItems(
  list: string,
  items: readonly unknown[],
  validateItem: (item: unknown) => InvalidField[],
): void {
  const errors: InvalidField[] = [];
  for (const [index, item] of items.entries()) {
    for (const { field, message } of validateItem(item))
      errors.push({ field: [list, index, ...(field === '' ? [] : [field])].join('.'), message });
    if (errors.length >= MAX_REPORTED_ERRORS) break;
  }
  if (errors.length > 0) throw createInvalidFieldsError(errors);
}
