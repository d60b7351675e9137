import { type Radosgw, RadosgwNotInstalledError, startRadosgw } from '../../support/radosgw.js';
import { THIS_HOST } from '../../support/test-host.js';

/** Starts an S3 store, or prints a message if none is installed. */
export async function startRadosgwIfInstalled(host = THIS_HOST): Promise<Radosgw | undefined> {
  try {
    return await startRadosgw(host);
  } catch (error) {
    if (!(error instanceof RadosgwNotInstalledError)) throw error;
    console.log(`Uses a file store instead of an S3 store: ${error.message}.`);
    return undefined;
  }
}
