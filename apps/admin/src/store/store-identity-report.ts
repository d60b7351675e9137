import {
  MISMATCH_DESCRIPTIONS,
  compareStoreIdentities,
  type StoreIdentityComparison,
  type StoreIdentityState,
} from '@app/installation';
import { OBJECT_PREFIXES } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { CommandError } from '../output.js';
import { countJobsAndTranscripts } from './store.repository.js';

export interface StoreIdentityReport {
  kind: ObjectStore['kind'];
  state: StoreIdentityComparison['state'];
  database: {
    installation_id: string;
    store_id: string | null;
    generation: number;
    jobs: number;
    transcripts: number;
  };
  marker: { installation_id: string; store_id: string; generation: number } | null;
  /** Number of objects by prefix. */
  objects: Record<string, number>;
}

export const STORE_STATE_DESCRIPTIONS: Record<StoreIdentityReport['state'], string> = {
  ...MISMATCH_DESCRIPTIONS,
  agreed: 'Database and object store belong together.',
  unclaimed:
    'No program has claimed this object store yet. The first one to start claims it if it is empty or its jobs are known.',
  claim_unfinished: 'The claim of this object store was interrupted; the next program to start completes it.',
};

/** The next step for states that `store show` alone does not explain. */
export const STORE_STATE_ADVICE: Partial<typeof STORE_STATE_DESCRIPTIONS> = {
  restore_unfinished:
    'Stop all programs; if no restore is running, run `restore DIR` of that backup again, into an empty database.',
  database_older: 'Compare the two with `store reconcile`.',
};

export async function readStoreIdentityReport(
  dataSource: DataSource,
  store: ObjectStore,
): Promise<StoreIdentityReport> {
  const { row, marker, state } = await compareStoreIdentities(dataSource, store);
  const { jobs, transcripts } = await countJobsAndTranscripts(dataSource);
  const objects: StoreIdentityReport['objects'] = {};
  for (const prefix of OBJECT_PREFIXES) objects[prefix] = await countObjects(store, prefix);
  const { installationId, storeId, generation } = row;
  return {
    kind: store.kind,
    state,
    database: {
      installation_id: installationId,
      store_id: storeId,
      generation,
      jobs,
      transcripts,
    },
    marker: marker && {
      installation_id: marker.installationId,
      store_id: marker.storeId,
      generation: marker.generation,
    },
    objects,
  };
}

/** @throws CommandError */
export function assertStoreIdentityState(
  state: StoreIdentityState,
  allowed: readonly StoreIdentityState[],
): void {
  if (!allowed.includes(state))
    throw new CommandError(
      'The database and the object store do not belong together: check DATABASE_URL, S3_BUCKET and DATA_DIR, and see `store show`.',
    );
}

export function formatStoreIdentityReport({
  kind,
  state,
  database,
  marker,
  objects,
}: StoreIdentityReport): string {
  const { jobs, transcripts, ...identity } = database;
  return [
    [STORE_STATE_DESCRIPTIONS[state], STORE_STATE_ADVICE[state]].filter(Boolean).join(' '),
    `database  ${formatIdentity(identity)}; ${jobs} jobs, ${transcripts} with a transcript`,
    `store     ${marker ? formatIdentity(marker) : 'no marker'}; objects: ${Object.entries(objects)
      .map(([prefix, count]) => `${prefix} ${count}`)
      .join(', ')} (${kind})`,
    'A transcript is one object as json, and two in any other format: the file and its json document.',
  ].join('\n');
}

function formatIdentity(side: {
  installation_id: string;
  store_id: string | null;
  generation: number;
}): string {
  return `installation ${side.installation_id}, store ${side.store_id ?? 'none'}, generation ${side.generation}`;
}

async function countObjects(store: ObjectStore, prefix: string): Promise<number> {
  let count = 0;
  for await (const _ of store.list(prefix)) count += 1;
  return count;
}
