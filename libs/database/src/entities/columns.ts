import type { ColumnOptions } from 'typeorm';

/** Every moment is a `timestamptz` with microseconds, set by the database's clock. */
export const moment: ColumnOptions = { type: 'timestamptz', precision: 6 };
export const maybeMoment: ColumnOptions = { ...moment, nullable: true };
export const maybeText: ColumnOptions = { type: 'text', nullable: true };
