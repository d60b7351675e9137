import { describe, expect, it } from 'vitest';
import { runProgram } from '../e2e/support/program.js';
import type { S3Fixture } from './s3-fixture.js';

interface Finding {
  name: string;
  status: string;
  detail: string;
}

/** Sets the clock of the program an hour ahead, like that of a machine without NTP. */
const CLOCK_AHEAD = '--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now.call(Date)+3600000;';

export function describeDoctor(fixture: () => S3Fixture): void {
  describe('doctor with objects in a bucket', () => {
    const runDoctor = async (settings: Record<string, string> = {}) => {
      const { service } = fixture();
      const env = { ...service.settings, PUBLIC_URL: service.baseUrl, ...settings };
      const { stdout } = await runProgram('admin', ['doctor', '--json'], env);
      return new Map((JSON.parse(stdout) as Finding[]).map((finding) => [finding.name, finding]));
    };

    it('doctor reports the bucket, its clock and the API as ok', async () => {
      const findings = await runDoctor();
      for (const name of ['object store', 'bucket clock', 'clock', 'public URL'])
        expect(findings.get(name)).toMatchObject({ status: 'ok' });
      expect(findings.get('bucket clock')?.detail).toContain('agrees');
    });

    it('doctor reports a clock that is so far ahead that the bucket rejects requests', async () => {
      const findings = await runDoctor({ NODE_OPTIONS: CLOCK_AHEAD });
      expect(findings.get('clock')).toMatchObject({ status: 'warning' });
      expect(findings.get('bucket clock')).toMatchObject({
        status: 'problem',
        detail: expect.stringMatching(
          /^this machine is 3(59|60)\d s ahead of .*RequestTimeTooSkewed/,
        ) as string,
      });
    });
  });
}
