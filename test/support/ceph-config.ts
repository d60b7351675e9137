import { join } from 'node:path';
import type { TestHost } from './test-host.js';

export interface CephPlan {
  folder: string;
  fsid: string;
  monPort: number;
  gatewayPort: number;
  host: TestHost;
}

export const monAddress = ({ monPort }: CephPlan): string => `[v2:127.0.0.1:${monPort}/0]`;

/** One monitor, one memory-backed store, one gateway, under one folder: only the gateway is reachable from other hosts. */
export function renderCephConfig(plan: CephPlan): string {
  const { folder, fsid, gatewayPort, host } = plan;
  const settings: Record<string, string | number> = {
    fsid,
    mon_initial_members: 'a',
    mon_host: monAddress(plan),
    public_network: '127.0.0.0/8',
    cluster_network: '127.0.0.0/8',
    auth_cluster_required: 'cephx',
    auth_service_required: 'cephx',
    auth_client_required: 'cephx',
    keyring: join(folder, '$name.keyring'),
    run_dir: folder,
    admin_socket: '',
    crash_dir: folder,
    log_file: join(folder, '$name.log'),
    log_to_stderr: 'false',
    mon_cluster_log_file: join(folder, 'cluster.log'),
    mon_data: join(folder, 'mon'),
    mon_data_avail_warn: 1,
    mon_data_avail_crit: 1,
    mon_allow_pool_size_one: 'true',
    mon_max_pg_per_osd: 2000,
    osd_data: join(folder, 'osd'),
    osd_objectstore: 'memstore',
    // Allocated on demand. The largest test needs 600 MB, and deleted objects occupy memory for hours.
    memstore_device_bytes: 1024 ** 3,
    osd_pool_default_size: 1,
    osd_pool_default_min_size: 1,
    osd_pool_default_pg_num: 1,
    osd_pool_default_pgp_num: 1,
    osd_crush_chooseleaf_type: 0,
    osd_memory_target: 1024 ** 3,
    rgw_frontends: `beast endpoint=${host.address}:${gatewayPort}`,
    rgw_rados_pool_pg_num_min: 1,
    rgw_thread_pool_size: 64,
    rgw_data: join(folder, 'rgw'),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return `[global]\n${lines.join('\n')}\n`;
}
