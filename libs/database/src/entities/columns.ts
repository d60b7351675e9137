import type { ColumnOptions } from 'typeorm';

/** Times have microseconds and are set by the clock of the database. */
export const timestampColumn: ColumnOptions = { type: 'timestamptz', precision: 6 };
export const nullableTimestampColumn: ColumnOptions = { ...timestampColumn, nullable: true };
export const nullableTextColumn: ColumnOptions = { type: 'text', nullable: true };
