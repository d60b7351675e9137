import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampColumn } from './columns.js';

/**
 * An admitted request of the last minute, where limits are counted in Postgres. Written by the function
 * `take_rate_limit` alone; unlogged, as a crash may forget a minute.
 */
@Entity('rate_limit_hit')
export class RateLimitHit {
  /** Key and route that are counted together. */
  @PrimaryColumn({ primaryKeyConstraintName: 'rate_limit_hit_pk', type: 'text' })
  bucket: string;

  /** Position in the bucket, without gaps. */
  @PrimaryColumn({ primaryKeyConstraintName: 'rate_limit_hit_pk', type: 'bigint' })
  n: number;

  @Column(timestampColumn)
  at: Date;
}
