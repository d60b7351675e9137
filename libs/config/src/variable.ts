import { isIP } from 'node:net';
import { z } from 'zod';

export interface EnvVariableDeclaration<T extends z.ZodType = z.ZodType> {
  name: string;
  schema: T;
  doc: string;
  /** Earlier names, the newest first, read if `name` is not set. */
  formerNames: readonly string[];
  /** Never printed, even if invalid. */
  secret: boolean;
}

export type ConfigSection = Record<string, EnvVariableDeclaration>;
export type ConfigSectionValues<S extends ConfigSection> = {
  readonly [K in keyof S]: z.output<S[K]['schema']>;
};

export function declareEnvVariable<T extends z.ZodType>(
  name: string,
  schema: T,
  doc: string,
): EnvVariableDeclaration<T> {
  return { name, schema, doc, formerNames: [], secret: false };
}

export function declareSecretEnvVariable<T extends z.ZodType>(
  name: string,
  schema: T,
  doc: string,
): EnvVariableDeclaration<T> {
  return { name, schema, doc, formerNames: [], secret: true };
}

export function withFormerVariableName<T extends z.ZodType>(
  formerName: string,
  declared: EnvVariableDeclaration<T>,
): EnvVariableDeclaration<T> {
  return { ...declared, formerNames: [formerName, ...declared.formerNames] };
}

/** Decimal digits. */
export function createIntegerSchema(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}

export function createDecimalSchema(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a number such as 2 or 0.5')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}

const BYTE_SIZE_RULE = 'must be a size such as 512, 16MiB or 5GiB';

/** For example `512`, `16MiB`, `5GiB`, `200MB`. */
export function createByteSizeSchema() {
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
    .regex(/^\d{1,15}(KiB|MiB|GiB|KB|MB|GB)?$/, BYTE_SIZE_RULE)
    .transform((text) => {
      const [, digits = '0', unit = ''] = /^(\d+)(\D*)$/.exec(text) ?? [];
      return Number(digits) * (units[unit] ?? 1);
    })
    .refine(Number.isSafeInteger, BYTE_SIZE_RULE);
}

/** As settings are read. @returns undefined for other texts */
export function parseByteSize(text: string): number | undefined {
  return createByteSizeSchema().safeParse(text).data;
}

export function createBooleanSchema() {
  return z.enum(['true', 'false']).transform((text) => text === 'true');
}

/** A comma within an item is `\,`; an empty string is an empty list. */
export function createCommaSeparatedListSchema() {
  return z.string().transform(parseCommaSeparatedList);
}

export function parseCommaSeparatedList(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((item) => item.trim().replaceAll('\\,', ','))
    .filter((item) => item !== '');
}

export function formatCommaSeparatedList(items: readonly string[]): string {
  return items.map((item) => item.replaceAll(',', '\\,')).join(',');
}

export function createUrlSchema(...protocols: string[]) {
  return z.string().superRefine((text, context) => {
    const problem = findUrlProblem(text, protocols);
    if (problem !== undefined) context.addIssue(problem);
  });
}

function findUrlProblem(text: string, protocols: readonly string[]): string | undefined {
  if (text !== text.trim()) return 'must not begin or end with a space';
  const starts = protocols.map((protocol) => `${protocol}//`);
  if (!starts.some((start) => text.toLowerCase().startsWith(start)))
    return `must be a URL starting with ${starts.join(' or ')}`;
  const url = parseUrl(text);
  if (url === null || !canDecode(url.username) || !canDecode(url.password) || !canDecode(url.pathname))
    return 'must be a valid URL; in its user and password, characters such as @ : / ? # and % are percent-encoded, @ as %40';
  return undefined;
}

export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** @param minPrefix of a CIDR, in bits */
export function isIpAddressOrCidr(text: string, minPrefix = 0): boolean {
  const [base = '', prefix, ...rest] = text.split('/');
  if (prefix === undefined) return isIP(base) !== 0;
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(base)] ?? -1;
  return (
    rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) >= minPrefix && Number(prefix) <= bits
  );
}
