import type { FieldError } from '@app/errors';
import { refused } from './validation.js';

/** A list that is wrong throughout is answered with its first few items, not with all of them. */
const MOST_NAMED = 20;

/**
 * Judges every item of a list whose length has been judged before.
 * @param problemsOf what is wrong with one item; `field` is below the item, or empty for the item itself.
 * @throws ServiceError 422 naming `list.index.field`.
 */
export function checkItems(
  list: string,
  items: readonly unknown[],
  problemsOf: (item: unknown) => FieldError[],
): void {
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    for (const { field, message } of problemsOf(item))
      errors.push({ field: [list, index, ...(field === '' ? [] : [field])].join('.'), message });
    if (errors.length >= MOST_NAMED) break;
  }
  if (errors.length > 0) throw refused(errors);
}
