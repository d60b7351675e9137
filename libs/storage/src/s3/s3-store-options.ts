export interface S3StoreOptions {
  bucket: string;
  region: string;
  /** Default: AWS in the region. */
  endpoint?: string;
  /** Base of presigned URLs, if clients reach the store at another URL. */
  publicEndpoint?: string;
  /** Puts the bucket into the path instead of the host name, as most self-hosted stores require. */
  forcePathStyle: boolean;
  /** Default: the credential chain of the SDK (environment, profile, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** Lets `provision` create a missing bucket and missing CORS and lifecycle rules; default true. */
  createBucket?: boolean;
  /** CORS origins of a bucket without a CORS rule; default none. */
  corsOrigins?: string[];
  /** Called if the server does not take a rule, which the bucket then lacks. @param warning names the effect */
  onRuleRefused?: (warning: string, error: unknown) => void;
  /** Milliseconds; default 3,000. */
  connectTimeoutMs?: number;
  /** Milliseconds without a byte after which a request is aborted; default 20,000. */
  idleTimeoutMs?: number;
  /** Per request; default 3. */
  maxAttempts?: number;
}

/** The bucket and the origin of its server, without user name, password or path. */
export function describeS3Location({ bucket, endpoint, region }: S3StoreOptions): string {
  const server = endpoint === undefined ? `AWS in ${region}` : new URL(endpoint).origin;
  return `bucket ${bucket} at ${server}`;
}

/** 10,000 parts are 80 GiB, far above any limit of the service; two concurrent parts use 16 MiB of memory. */
export const S3_PART_BYTES = 8 * 1024 * 1024;
