import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const CHECK = fileURLToPath(new URL('../../deploy/image/check-health.mjs', import.meta.url));
/** Instead of requests, which other programs of this machine might answer. */
const PRINTING_FETCH = 'data:text/javascript,globalThis.fetch=async(url)=>(console.log(url),{ok:true})';

async function listRequestedUrls(env: Record<string, string>): Promise<string[]> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--import', PRINTING_FETCH, CHECK], { env });
  return stdout.trim().split('\n');
}

describe('HEALTHCHECK of the image', () => {
  it.each([
    ['nothing is set', {}, ['3000', '3100']],
    ['ports are set', { PORT: '4000', PROCESSOR_PORT: '4100' }, ['4000', '4100']],
    ['health has a port of its own', { PORT: '4000', HEALTH_PORT: '4001' }, ['4001', '3100']],
    ['HEALTH_PORT is empty', { PORT: '4000', HEALTH_PORT: '' }, ['4000', '3100']],
    ['all are empty', { PORT: '', HEALTH_PORT: '', PROCESSOR_PORT: '' }, ['3000', '3100']],
  ])('asks the ports of the programs if %s', async (_, env, ports) => {
    expect(await listRequestedUrls(env)).toEqual(ports.map((port) => `http://127.0.0.1:${port}/health/live`));
  });
});
