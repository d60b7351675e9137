import { z } from 'zod';

/** One environment variable: its name, what it accepts (default included) and what it is for. */
export interface Variable<T extends z.ZodType = z.ZodType> {
  name: string;
  schema: T;
  doc: string;
  /** A name that it had before and that is still read, where it is not set under the present one. */
  formerName?: string;
  /** Never printed, not even when it is wrong. */
  secret: boolean;
}

export type Section = Record<string, Variable>;
export type SectionValues<S extends Section> = { readonly [K in keyof S]: z.output<S[K]['schema']> };

export function variable<T extends z.ZodType>(name: string, schema: T, doc: string): Variable<T> {
  return { name, schema, doc, secret: false };
}

export function secret<T extends z.ZodType>(name: string, schema: T, doc: string): Variable<T> {
  return { name, schema, doc, secret: true };
}

/** The same variable, also read under a name of earlier versions. */
export function withFormerName<T extends z.ZodType>(formerName: string, declared: Variable<T>): Variable<T> {
  return { ...declared, formerName };
}

/** A whole number with bounds, from its decimal spelling. */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}

/** A number with bounds, whole or with decimals. */
export function decimal(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a number such as 2 or 0.5')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}

/** A size in bytes: `512`, `16MiB`, `5GiB`, `200MB`. */
export function byteSize() {
  const units: Record<string, number> = {
    '': 1,
    KiB: 2 ** 10,
    MiB: 2 ** 20,
    GiB: 2 ** 30,
    KB: 1e3,
    MB: 1e6,
    GB: 1e9,
  };
  return z
    .string()
    .regex(/^\d{1,13}(KiB|MiB|GiB|KB|MB|GB)?$/, 'must be a size such as 512, 16MiB or 5GiB')
    .transform((text) => {
      const [, digits = '0', unit = ''] = /^(\d+)(\D*)$/.exec(text) ?? [];
      return Number(digits) * (units[unit] ?? 1);
    });
}

export function booleanFlag() {
  return z.enum(['true', 'false']).transform((text) => text === 'true');
}

/** Comma-separated, a comma within an item being `\,`; an empty string is an empty list. */
export function commaSeparatedList() {
  return z.string().transform(parseList);
}

/** The items of the text of a list. */
export function parseList(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((item) => item.trim().replaceAll('\\,', ','))
    .filter((item) => item !== '');
}

/** The text that gives these items. */
export function formatList(items: readonly string[]): string {
  return items.map((item) => item.replaceAll(',', '\\,')).join(',');
}

export function url(...protocols: string[]) {
  return z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be an address starting with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  });
}
