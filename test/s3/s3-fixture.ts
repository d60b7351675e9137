import type { Client } from '../e2e/support/client.js';
import type { Service } from '../e2e/support/service.js';
import type { Bucket } from '../support/bucket.js';

/** A started service, a caller, and the bucket of its object store. */
export interface S3Fixture {
  service: Service;
  client: Client;
  bucket: Bucket;
}
