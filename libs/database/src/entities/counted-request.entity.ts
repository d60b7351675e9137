import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampColumn } from './columns.js';

/**
 * Admitted requests of the last minute, written by the function `take_rate_limit`. Unlogged: a crash may lose
 * a minute.
 */
@Entity('rate_limit_hit')
export class CountedRequest {
  /** API key and limit name. */
  @PrimaryColumn({ primaryKeyConstraintName: 'rate_limit_hit_pk', type: 'text' })
  bucket: string;

  /** Position in the bucket, without gaps. */
  @PrimaryColumn({ primaryKeyConstraintName: 'rate_limit_hit_pk', type: 'bigint' })
  n: number;

  @Column(timestampColumn)
  at: Date;
}
