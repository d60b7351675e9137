import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';

/** Owns nothing, may read what belongs to organisations, and sees the rows of one at a time. Made by a migration. */
export const TENANT_ROLE = 'zephyr_tenant';

/** Has a second, smaller pool whose connections are of the tenants' role, opened when it is first asked for. */
export class TenantDataSource extends DataSource {
  private tenants: pg.Pool | undefined;

  /** @param tenantPool how to connect, the role apart */
  constructor(
    options: DataSourceOptions,
    private readonly tenantPool: pg.PoolConfig,
  ) {
    super(options);
  }

  get tenantConnections(): pg.Pool {
    this.tenants ??= this.openTenants();
    return this.tenants;
  }

  override async destroy(): Promise<void> {
    await this.tenants?.end();
    this.tenants = undefined;
    await super.destroy();
  }

  private openTenants(): pg.Pool {
    const { options = '', ...rest } = this.tenantPool;
    const pool = new pg.Pool({ ...rest, options: `${options} -c role=${TENANT_ROLE}` });
    // An idle connection that was cut is replaced by the pool; without a listener the process would end.
    pool.on('error', () => undefined);
    return pool;
  }
}
