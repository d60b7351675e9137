import { queryRows } from '@app/database';
import { MISMATCH_DESCRIPTIONS, readStoreIdentity, type StoreIdentity } from '@app/installation';
import { OBJECT_PREFIXES } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';

export interface StoreReport {
  kind: ObjectStore['kind'];
  /** `agreed`, or why programs refuse to start on the two. */
  state: StoreIdentity['state'];
  database: {
    installation_id: string;
    store_id: string | null;
    generation: number;
    jobs: number;
    transcripts: number;
  };
  /** Null where the store has no marker. */
  marker: { installation_id: string; store_id: string; generation: number } | null;
  /** Number of objects by prefix. */
  objects: Record<string, number>;
}

/** One line for operators. */
export const STATE_DESCRIPTIONS: Record<StoreReport['state'], string> = {
  ...MISMATCH_DESCRIPTIONS,
  agreed: 'Database and object store belong together.',
  unclaimed:
    'No program has claimed this object store yet. The first one to start claims it if it is empty or its jobs are known.',
  claim_unfinished: 'The claim of this object store was interrupted; the next program to start completes it.',
};

/** What to do in a state where `store show` says no more than that; one thing only. */
export const STATE_ADVICE: Partial<typeof STATE_DESCRIPTIONS> = {
  restore_unfinished:
    'Stop all programs; if no restore is running, run `restore DIR` of that backup again, into an empty database.',
  database_older: 'Compare the two with `store reconcile`.',
};

/** What both sides say, and how much each of them holds. Changes nothing. */
export async function buildStoreReport(dataSource: DataSource, store: ObjectStore): Promise<StoreReport> {
  const { row, marker, state } = await readStoreIdentity(dataSource, store);
  const [counts] = await queryRows<{ jobs: number; transcripts: number }>(
    dataSource,
    'SELECT count(*) AS jobs, count(result_key) AS transcripts FROM job',
  );
  const objects: StoreReport['objects'] = {};
  for (const prefix of OBJECT_PREFIXES) objects[prefix] = await countObjects(store, prefix);
  const { installationId, storeId, generation } = row;
  return {
    kind: store.kind,
    state,
    database: {
      installation_id: installationId,
      store_id: storeId,
      generation,
      jobs: counts?.jobs ?? 0,
      transcripts: counts?.transcripts ?? 0,
    },
    marker: marker && {
      installation_id: marker.installationId,
      store_id: marker.storeId,
      generation: marker.generation,
    },
    objects,
  };
}

export function formatStoreReport({ kind, state, database, marker, objects }: StoreReport): string {
  const { jobs, transcripts, ...identity } = database;
  return [
    [STATE_DESCRIPTIONS[state], STATE_ADVICE[state]].filter(Boolean).join(' '),
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
