import { type Radosgw, RadosgwNotInstalledError, startRadosgw } from '../../support/radosgw.js';

/** A real S3 store if one is installed; prints a message if none is. */
export async function startRadosgwIfInstalled(): Promise<Radosgw | undefined> {
  try {
    return await startRadosgw();
  } catch (error) {
    if (!(error instanceof RadosgwNotInstalledError)) throw error;
    console.log(`Files take the place of an S3 store: ${error.message}.`);
    return undefined;
  }
}
