import { ValidateIf } from 'class-validator';

/** May be left out, but `null` is a value like any other and is judged. */
export const AllowUndefined = () => ValidateIf((_, value) => value !== undefined);

/** May be left out or `null`. */
export const AllowNullOrUndefined = () => ValidateIf((_, value) => value !== undefined && value !== null);
