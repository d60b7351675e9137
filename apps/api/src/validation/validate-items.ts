import type { FieldError } from '@app/errors';
import { validationError } from './validate-dto.js';

/** A list that is wrong throughout is answered with its first few items, not with all of them. */
const MOST_NAMED = 20;

/**
 * Judges every item of a list whose length has been judged before.
 * @param validateItem what is wrong with one item; `field` is below the item, or empty for the item itself.
 * @throws ServiceError 422 naming `list.index.field`.
 */
export function validateItems(
  list: string,
  items: readonly unknown[],
  validateItem: (item: unknown) => FieldError[],
): void {
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    for (const { field, message } of validateItem(item))
      errors.push({ field: [list, index, ...(field === '' ? [] : [field])].join('.'), message });
    if (errors.length >= MOST_NAMED) break;
  }
  if (errors.length > 0) throw validationError(errors);
}
