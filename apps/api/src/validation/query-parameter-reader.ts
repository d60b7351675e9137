import { type InvalidField, createInvalidFieldsError } from '@app/errors';
import { findUnknownParameterErrors } from './find-unknown-parameters.js';

export type ParameterValueOrError<T> = { value: T } | { message: string };

/** Reads the parameters of a query and collects their errors. */
export class QueryParameterReader {
  private readonly errors: InvalidField[];

  /** @param isFurtherKnown whether a name that is not listed is known too */
  constructor(
    private readonly query: Readonly<Record<string, unknown>>,
    names: readonly string[],
    isFurtherKnown?: (name: string) => boolean,
  ) {
    this.errors = findUnknownParameterErrors(query, names, isFurtherKnown);
  }

  read<T>(field: string, parse: (text: string) => ParameterValueOrError<T>, defaultValue: T): T {
    const value = this.query[field];
    if (value === undefined) return defaultValue;
    const result = typeof value === 'string' ? parse(value) : { message: 'must be given once' };
    if ('value' in result) return result.value;
    this.addErrors({ field, message: result.message });
    return defaultValue;
  }

  addErrors(...errors: InvalidField[]): void {
    this.errors.push(...errors);
  }

  /** @throws ServiceError `invalid_parameter` naming every invalid, duplicate or unknown parameter */
  assertValid(): void {
    if (this.errors.length > 0) throw createInvalidFieldsError(this.errors, 'invalid_parameter');
  }
}

export function createChoiceParser<T extends string>(
  choices: readonly T[],
): (text: string) => ParameterValueOrError<T> {
  return (text) => {
    const value = choices.find((choice) => choice === text);
    return value === undefined ? { message: `must be one of: ${choices.join(', ')}` } : { value };
  };
}

/** @param max below 1,000 */
export function createWholeNumberParser(
  min: number,
  max: number,
): (text: string) => ParameterValueOrError<number> {
  return (text) => {
    const value = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max
      ? { value }
      : { message: `must be a whole number from ${min} to ${max}` };
  };
}
