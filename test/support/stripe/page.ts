import { type Form, requireInteger } from './form.js';
import { invalidRequest } from './stripe-error.js';

/** Newest first. @param objects in the order of their creation */
export function toPage<T extends { id: string }>(
  objects: readonly T[],
  form: Form,
  url: string,
  expand: (object: T) => unknown = (object) => object,
): object {
  const limit = form['limit'] === undefined ? 10 : requireInteger(form, 'limit');
  if (limit < 1 || limit > 100) throw invalidRequest('Invalid limit', undefined, 'limit');
  const newest = objects.toReversed();
  const after = newest.findIndex(({ id }) => id === form['starting_after']);
  const rest = newest.slice(after + 1);
  return { object: 'list', url, data: rest.slice(0, limit).map(expand), has_more: rest.length > limit };
}
