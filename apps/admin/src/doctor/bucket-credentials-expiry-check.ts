import { readS3CredentialsExpiry, type S3StoreOptions } from '@app/storage';
import { createOkFinding, createWarningFinding, type Finding } from './finding.js';

/** Warns of temporary credentials, such as those of a role: the URLs that they sign end with them. @throws if there are none */
export async function checkBucketCredentialsExpiry(options: S3StoreOptions): Promise<Finding> {
  const expiry = await readS3CredentialsExpiry(options);
  return expiry === undefined
    ? createOkFinding('credentials', 'those of the bucket do not expire')
    : createWarningFinding(
        'credentials',
        `those of the bucket expire at ${expiry.toISOString()}, and the URLs signed with them, whatever \`expires_in\` says`,
        'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to a key that does not expire.',
      );
}
