import { describe, expect, it } from 'vitest';
import { buildSandboxCommand } from './build-sandbox-command.js';

const limits = { memoryBytes: 1000, cpuSeconds: 3.2, fileBytes: 0, wallSeconds: 9 };
const files = { reads: ['/usr/bin/x', '/data/sound'], folder: '/data/own' };
const none = { bwrap: null, mountsProc: true, unshareNetwork: null, prlimit: null, setpriv: null };

describe('buildSandboxCommand', () => {
  it('the command is unwrapped when no wrapper works', () => {
    expect(buildSandboxCommand(['/bin/x', 'y'], { limits, files }, none)).toEqual(['/bin/x', 'y']);
  });

  it('the parent-death signal is set last, after every change of credentials', () => {
    const wrappers = {
      ...none,
      unshareNetwork: ['/u', '--user', '--net', '--'],
      prlimit: '/p',
      setpriv: '/s',
    };
    expect(buildSandboxCommand(['/bin/x', '-y'], { limits, files }, wrappers).join(' ')).toBe(
      '/u --user --net -- /p --as=1000 --cpu=4:6 --fsize=0 --core=0 --nofile=64 -- ' +
        '/s --pdeathsig KILL --no-new-privs -- /bin/x -y',
    );
  });

  it('bwrap mounts the work folder writable, given files read-only, and nothing else', () => {
    const wrappers = { ...none, bwrap: '/b', unshareNetwork: ['/u', '--'], prlimit: '/p', setpriv: '/s' };
    const line = buildSandboxCommand(['/bin/x', '-y'], { limits, files }, wrappers).join(' ');
    expect(line).toMatch(/^\/p .* -- \/b --unshare-all /);
    expect(line).toContain(
      ' --ro-bind /data/sound /data/sound --bind /data/own /data/own --remount-ro /dev --remount-ro / ' +
        '--chdir /data/own -- /bin/sh -c "$@"; exit $? sh /bin/x -y',
    );
    expect(line).not.toMatch(/^\/u| \/s |bind \/usr\/bin\/x/);
  });

  it('bwrap mounts device files as devices, below the files of a folder that is read', () => {
    const devices = ['/dev/nvidia0', '/dev/nvidiactl'];
    const wrappers = { ...none, bwrap: '/b', prlimit: '/p' };
    const policy = { limits: { ...limits, openFiles: 200 }, files: { reads: ['/models'], devices } };
    const line = buildSandboxCommand(['/bin/x'], policy, wrappers).join(' ');
    expect(line).toContain(' --nofile=200 -- /b ');
    expect(line).toContain(
      ' --ro-bind /models /models --dev-bind /dev/nvidia0 /dev/nvidia0 --dev-bind /dev/nvidiactl /dev/nvidiactl --remount-ro /dev ',
    );
  });

  it('bwrap mounts no /proc where it is forbidden to', () => {
    const lines = [true, false].map((mountsProc) =>
      buildSandboxCommand(['/bin/x'], { limits, files }, { ...none, bwrap: '/b', mountsProc }).join(' '),
    );
    expect(lines[0]).toContain(' --proc /proc --dev /dev ');
    expect(lines[1]).toBe(lines[0]?.replace(' --proc /proc', ''));
  });

  it('folders of the service within a system path are empty, but for what the program reads', () => {
    const hidden = ['/usr/src/app', '/usr/src/app/data', '/srv/data'];
    const reads = ['/usr/src/app/data/models/m', '/usr/bin/x'];
    const wrappers = { ...none, bwrap: '/b', bwrapFlags: ['--disable-userns'], processLimiter: '/p' };
    const line = buildSandboxCommand(
      ['/bin/x'],
      { limits, files: { ...files, reads, hidden } },
      wrappers,
    ).join(' ');
    expect(line).toMatch(/^\/b --disable-userns --unshare-all /);
    expect(line).toContain(
      ' --tmpfs /usr/src/app --tmpfs /usr/src/app/data ' +
        '--ro-bind /usr/src/app/data/models/m /usr/src/app/data/models/m --bind /data/own /data/own ' +
        '--remount-ro /usr/src/app --remount-ro /usr/src/app/data ',
    );
    expect(line).not.toContain('/srv/data');
    expect(line).toMatch(/ sh \/p --nproc=512 -- \/bin\/x$/);
  });

  it('infinite limits are left unset, as raising a limit needs privileges', () => {
    const endless = { ...limits, memoryBytes: Infinity, cpuSeconds: Infinity };
    const line = buildSandboxCommand(['/bin/x'], { limits: endless, files }, { ...none, prlimit: '/p' });
    expect(line.join(' ')).toBe('/p --fsize=0 --core=0 --nofile=64 -- /bin/x');
  });
});
