import { userInfo } from 'node:os';
import { describeError } from '@app/errors';
import { buildStorageOptions } from '@app/runtime';
import {
  createObjectStore,
  describeS3Location,
  keepsDeletedVersions,
  type S3StoreOptions,
} from '@app/storage';
import type { AdminServices } from '../lazy-admin-services.js';
import { CLOCK_ADVICE } from './clock-checks.js';
import { createOkFinding, createWarningFinding, runCheckOrReportProblem, type Finding } from './finding.js';
import { tryStoreOperations } from './try-store-operations.js';

export function checkObjectStore({ bootContext }: Pick<AdminServices, 'bootContext'>): Promise<Finding> {
  const options = buildStorageOptions(bootContext);
  const advise = (error: unknown): string => {
    if (describeError(error).includes('RequestTimeTooSkewed')) return CLOCK_ADVICE;
    if (options.kind === 's3')
      return `Check the S3_* variables, that the server of ${describeS3Location(options)} runs, and the rights of the key (docs/operating/storage.md).`;
    return `Check that ${userInfo().username} can write to ${options.root}: its owner and mode, and that its disk is neither full nor mounted read-only.`;
  };
  return runCheckOrReportProblem('object store', advise, async () => {
    const store = await createObjectStore(options);
    try {
      await store.ping();
      await tryStoreOperations(store);
      return createOkFinding('object store', `${store.kind}; writes, reads, lists and deletes`);
    } finally {
      await store.close();
    }
  });
}

export async function checkBucketVersions(options: S3StoreOptions): Promise<Finding> {
  const name = 'bucket versions';
  const keeps = await keepsDeletedVersions(options);
  if (keeps === undefined) return createOkFinding(name, 'this key may not read whether the bucket keeps any');
  if (!keeps) return createOkFinding(name, 'none are kept of what is deleted');
  return createWarningFinding(
    name,
    'versioning is enabled: audio and transcripts that are deleted stay in the bucket',
    'Suspend versioning and delete the earlier versions, or add a lifecycle rule that expires noncurrent versions.',
  );
}
