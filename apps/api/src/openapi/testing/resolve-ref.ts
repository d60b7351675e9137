import type { ApiDocument, Ref } from '../document-types.js';

export function resolveRef<T extends object>(document: ApiDocument, part: T | Ref): T {
  if (!('$ref' in part)) return part;
  const target = part.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
  if (typeof target !== 'object' || target === null) throw new Error(`${part.$ref} does not exist.`);
  return target as T;
}
