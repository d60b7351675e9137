import { createDataSource } from '@app/database';
import { claimNextStage, LeaderElection } from '@app/jobs';
import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { LeaseRenewer } from '../../libs/jobs/src/runner/lease-renewer.js';
import { parseEndpoint, startFaultProxy, type FaultProxy, urlThroughProxy } from '../support/fault-proxy.js';
import { createJobWorld, type World } from '../support/job-world.js';

const LEASE_SECONDS = 6;

let world: World;
let proxy: FaultProxy;
let dataSource: DataSource;
beforeEach(async () => {
  world = await createJobWorld();
  proxy = await startFaultProxy(parseEndpoint(world.url));
  const url = urlThroughProxy(proxy, world.url);
  dataSource = await createDataSource({ url, poolSize: 2, applicationName: 'test' }).initialize();
  await dataSource.query('SELECT 1');
});
afterEach(async () => {
  proxy.close();
  await dataSource.destroy();
  await world.close();
});

const isValid = async (table: string) =>
  (await world.row<{ valid: boolean }>(`SELECT min(lease_until) > now() AS valid FROM ${table}`))?.valid;
const readLeaseEnd = async (table: string) =>
  (await world.row<{ end: Date }>(`SELECT min(lease_until) AS end FROM ${table}`))?.end.getTime();

/** Fails if the lease has ended before. */
async function expectRenewal(table: string): Promise<void> {
  const end = await readLeaseEnd(table);
  await expect
    .poll(
      async () => {
        expect(await isValid(table)).toBe(true);
        return (await readLeaseEnd(table)) !== end;
      },
      { timeout: LEASE_SECONDS * 1_000, interval: 50 },
    )
    .toBe(true);
}

it('the leases of stages are renewed in time by another connection', async () => {
  await world.newJob();
  const stage = await claimNextStage(world.dataSource, 'preprocess', LEASE_SECONDS);
  const lease = new LeaseRenewer(dataSource, LEASE_SECONDS).hold(stage ?? expect.unreachable());
  onTestFinished(() => lease.stop());
  proxy.dropTraffic();
  await expectRenewal('job_stage');
  expect(lease.signal.aborted).toBe(false);
});

it('the lease of the leader is renewed in time by another connection', async () => {
  const leaders = new Set<string>();
  const election = new LeaderElection(dataSource, {
    ...{ name: 'test', leaseSeconds: LEASE_SECONDS, logger: { warn: () => undefined } },
    onElected: () => void leaders.add('this'),
    onDeposed: async () => void leaders.delete('this'),
  });
  onTestFinished(() => election.stop());
  election.start();
  await expect.poll(() => leaders.size).toBe(1);
  proxy.dropTraffic();
  await expectRenewal('maintenance_lease');
  expect(leaders.size).toBe(1);
});
