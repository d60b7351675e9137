import type { ColumnOptions } from 'typeorm';

/** Every moment is a `timestamptz` with microseconds, set by the database's clock. */
export const timestampColumn: ColumnOptions = { type: 'timestamptz', precision: 6 };
export const nullableTimestampColumn: ColumnOptions = { ...timestampColumn, nullable: true };
export const nullableTextColumn: ColumnOptions = { type: 'text', nullable: true };
