import { ValidateIf } from 'class-validator';

/** Skips validation of an absent field; `null` is validated. */
export const AllowUndefined = () => ValidateIf((_, value) => value !== undefined);

/** Skips validation of an absent or `null` field. */
export const AllowNullOrUndefined = () => ValidateIf((_, value) => value !== undefined && value !== null);
