import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../e2e/support/audio.js';
import { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { type Radosgw, startRadosgw } from '../support/radosgw.js';

let s3: Radosgw;
let env: Record<string, string>;

beforeAll(async () => {
  s3 = await startRadosgw();
  env = {
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  };
});
afterAll(() => s3?.stop());

describe('§8 audio retention in a bucket', () => {
  it('leaves the transcript of a finished job and nothing else', async () => {
    const service = await Service.start({ ...env, S3_BUCKET: 'retention' });
    const { endpoint, region, credentials } = s3;
    const lister = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    try {
      const client = await service.client();
      const { job_id } = await client.submit(silent(2));
      expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
      await until('only the transcript is left', async () => {
        const { Contents = [] } = await lister.send(new ListObjectsV2Command({ Bucket: 'retention' }));
        const keys = Contents.map(({ Key = '' }) => Key);
        return keys.length === 1 && keys[0]?.includes(job_id) && !/^(audio|work)\//.test(keys[0]);
      });
    } finally {
      lister.destroy();
      await service.stop();
    }
  });
});
