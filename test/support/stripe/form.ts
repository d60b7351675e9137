import { invalidRequest } from './stripe-error.js';

export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type Form = Record<string, FormValue>;

/** Parses forms such as `metadata[payment_id]=1&line_items[0][quantity]=1&expand[]=latest_charge`. */
export function parseForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/[^[\]]+|(?<=\[)(?=\])/g)].map(([part]) => part);
    assign(form, path, value);
  }
  return toArrays(form) as Form;
}

function assign(target: Record<string, FormValue>, [name = '', ...rest]: string[], value: string): void {
  const key = name === '' ? String(Object.keys(target).length) : name;
  if (rest.length === 0) target[key] = value;
  else {
    const inner = (target[key] ??= {}) as Record<string, FormValue>;
    assign(inner, rest, value);
  }
}

/** Converts objects with the keys 0, 1, 2, … to lists. */
function toArrays(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, toArrays(inner)] as const);
  const isList = entries.length > 0 && entries.every(([name], at) => name === String(at));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** Whether the creation time of an object is in the range `created` of the form. */
export function isCreated({ created: wanted }: Form, created: number): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === 'string') return created === Number(wanted);
  const { gte, gt, lte, lt } = wanted as Form;
  return (
    (gte === undefined || created >= Number(gte)) &&
    (gt === undefined || created > Number(gt)) &&
    (lte === undefined || created <= Number(lte)) &&
    (lt === undefined || created < Number(lt))
  );
}

/** @throws StripeErrorAnswer 400 */
export function requireText(form: Form, name: string): string {
  const value = form[name];
  if (value === undefined)
    throw invalidRequest(`Missing required param: ${name}.`, 'parameter_missing', name);
  if (typeof value !== 'string' || value === '')
    throw invalidRequest(`Invalid ${name}.`, 'parameter_invalid_empty', name);
  return value;
}

/** @throws StripeErrorAnswer 400 */
export function requireInteger(form: Form, name: string): number {
  const text = requireText(form, name);
  if (!/^\d+$/.test(text))
    throw invalidRequest(`Invalid integer: ${text}`, 'parameter_invalid_integer', name);
  return Number(text);
}

export function toMetadata(value: FormValue | undefined): Record<string, string> {
  return (value ?? {}) as Record<string, string>;
}

export function toList(value: FormValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
