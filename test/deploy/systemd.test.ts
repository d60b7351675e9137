import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFile(`${ROOT}${path}`, 'utf8');

async function readDoctorCommand(): Promise<string | undefined> {
  const page = await read('docs/operating/deployment.md');
  return /^systemd-run (?:.*\\\n)+.* doctor$/m.exec(page)?.[0];
}

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
    expect(await readDoctorCommand()).toContain(' -p PrivateDevices=yes ');
  });

  it('protect the file system from the documented doctor, too, so that it finds what the programs cannot write', async () => {
    const command = await readDoctorCommand();
    expect(command).toContain(' -p ProtectSystem=strict ');
    expect(command).toContain(' -p StateDirectory=zephyr ');
  });

  it.each(['zephyr.service', 'zephyr-api@.service', 'zephyr-processor.service'])(
    '%s sees the same folders as the documented doctor, which also checks and pulls models',
    async (name) => {
      const unit = await read(`deploy/systemd/${name}`);
      const command = await readDoctorCommand();
      for (const setting of ['ProtectSystem', 'ProtectHome', 'PrivateTmp', 'PrivateDevices']) {
        const [line = expect.unreachable()] = new RegExp(`^${setting}=.*$`, 'm').exec(unit) ?? [];
        expect(command).toContain(` -p ${line} `);
      }
    },
  );

  it.each(['zephyr.service', 'zephyr-api@.service', 'zephyr-processor.service'])(
    '%s says how another folder becomes writable',
    async (name) => {
      expect(await read(`deploy/systemd/${name}`)).toMatch(
        /^# .*ReadWritePaths=.*docs\/operating\/deployment\.md.*\nProtectSystem=strict$/m,
      );
      expect(await read('docs/operating/deployment.md')).toContain('`ReadWritePaths=/srv/zephyr`');
    },
  );
});
