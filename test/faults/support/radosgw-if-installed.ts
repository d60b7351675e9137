import { type Radosgw, RadosgwNotInstalledError, startRadosgw } from '../../support/radosgw.js';

/** Starts an S3 store, or prints a message if none is installed. */
export async function startRadosgwIfInstalled(): Promise<Radosgw | undefined> {
  try {
    return await startRadosgw();
  } catch (error) {
    if (!(error instanceof RadosgwNotInstalledError)) throw error;
    console.log(`Uses a file store instead of an S3 store: ${error.message}.`);
    return undefined;
  }
}
