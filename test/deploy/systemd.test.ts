import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFile(`${ROOT}${path}`, 'utf8');

describe('the units of systemd', () => {
  it.each(['zephyr.service', 'zephyr-processor.service'])(
    '%s hides the devices of GPUs, and says where that is undone',
    async (name) => {
      const unit = await read(`deploy/systemd/${name}`);
      expect(unit).toMatch(/^# .*GPU.*docs\/speech\/sherpa\.md.*\nPrivateDevices=yes$/m);
      expect(await read('docs/speech/sherpa.md')).toContain('`PrivateDevices=no`');
    },
  );

  it.each(['zephyr.service', 'zephyr-processor.service'])(
    '%s goes on when the kernel kills one of its processes for memory',
    async (name) => {
      expect(await read(`deploy/systemd/${name}`)).toMatch(/^OOMPolicy=continue$/m);
    },
  );

  it('hide the devices from the documented doctor, too, so that it finds what the processor finds', async () => {
    const page = await read('docs/operating/deployment.md');
    const [command] = /^systemd-run .*\\\n.* doctor$/m.exec(page) ?? [];
    expect(command).toContain(' -p PrivateDevices=yes ');
  });
});
