import { MaintenanceLease, queryRowsWithClientTimeout } from '@app/database';
import type { DataSource } from 'typeorm';

/**
 * Takes or renews the lease of that name. Fails after a third of it if the server does not respond.
 * @param holder unique to the process
 * @returns false while another holder has it
 */
export async function tryTakeMaintenanceLease(
  dataSource: DataSource,
  name: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const taken = await queryRowsWithClientTimeout(
    dataSource,
    (seconds * 1000) / 3,
    `INSERT INTO maintenance_lease AS present (name, holder, lease_until)
     VALUES ($1, $2, now() + make_interval(secs => $3))
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until
       WHERE present.holder = excluded.holder OR present.lease_until <= now()
     RETURNING name`,
    [name, holder, seconds],
  );
  return taken.length === 1;
}

/** Lets another holder take it at once. */
export async function releaseMaintenanceLease(
  dataSource: DataSource,
  name: string,
  holder: string,
): Promise<void> {
  await dataSource.getRepository(MaintenanceLease).delete({ name, holder });
}
