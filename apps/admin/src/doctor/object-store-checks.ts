import { describeError } from '@app/errors';
import { buildStorageOptions } from '@app/runtime';
import {
  createObjectStore,
  describeS3Location,
  readDeletedVersionRetention,
  type S3StoreOptions,
} from '@app/storage';
import type { AdminServices } from '../lazy-admin-services.js';
import { readUserNameOrId } from '../operator-audit.js';
import { CLOCK_ADVICE } from './clock-checks.js';
import { createOkFinding, createWarningFinding, runCheckOrReportProblem, type Finding } from './finding.js';
import { tryStoreOperations } from './try-store-operations.js';

export function checkObjectStore({ bootContext }: Pick<AdminServices, 'bootContext'>): Promise<Finding> {
  const options = buildStorageOptions(bootContext);
  const advise = (error: unknown): string => {
    if (describeError(error).includes('RequestTimeTooSkewed')) return CLOCK_ADVICE;
    if (options.kind === 's3')
      return `Check the S3_* variables, that the server of ${describeS3Location(options)} runs, and the rights of the key (docs/operating/storage.md).`;
    return `Check that ${readUserNameOrId()} can write to ${options.root}: its owner and mode, and that its disk is neither full nor mounted read-only.`;
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

const REMEDY =
  'Suspend versioning and delete the earlier versions, or add a lifecycle rule for the whole bucket that expires noncurrent versions.';

export async function checkBucketVersions(options: S3StoreOptions): Promise<Finding> {
  const name = 'bucket versions';
  const versions = await readDeletedVersionRetention(options);
  if (versions === 'unknown')
    return createOkFinding(name, 'this server or key does not tell whether the bucket keeps any');
  if (versions === 'not-kept') return createOkFinding(name, 'none are kept of what is deleted');
  if (versions === 'kept-unless-a-rule-expires-them')
    return createWarningFinding(
      name,
      'versioning is enabled, and this key may not read whether a rule expires earlier versions',
      `${REMEDY} So that doctor can read the rules, give the key the right s3:GetLifecycleConfiguration.`,
    );
  return createWarningFinding(
    name,
    'versioning is enabled: audio and transcripts that are deleted stay in the bucket',
    REMEDY,
  );
}
