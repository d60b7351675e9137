export interface S3StoreOptions {
  bucket: string;
  region: string;
  /** Where this process reaches the store; without it, Amazon's own address of the region. */
  endpoint?: string;
  /** Where clients reach it, when that is another address: the presigned addresses point there. */
  publicEndpoint?: string;
  /** Bucket in the path instead of the host name, as most stores of one's own want it. */
  forcePathStyle: boolean;
  /** Without them the SDK's own chain decides (environment, profile, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** `provision` makes the bucket, with its CORS and clean-up rules, when it is missing; default true. */
  createBucket?: boolean;
  /** Origins whose pages may PUT and GET; given to a bucket that is made here. Default none. */
  corsOrigins?: string[];
  /** Milliseconds that a connection may take; default 3,000. */
  connectTimeoutMs?: number;
  /** Milliseconds without a byte after which a request counts as lost; default 20,000. */
  idleTimeoutMs?: number;
  /** Tries of one request in all; default 3. */
  maxAttempts?: number;
}
