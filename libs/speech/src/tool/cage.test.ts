import { describe, expect, it } from 'vitest';
import { cage } from './cage.js';

const limits = { memoryBytes: 1000, cpuSeconds: 3.2, fileBytes: 0, wallSeconds: 9 };
const files = { reads: ['/usr/bin/x', '/data/sound'], folder: '/data/own' };
const none = { sandbox: null, noNetwork: null, prlimit: null, setpriv: null };

describe('cage', () => {
  it('is the bare command where no wrapper works', () => {
    expect(cage(['/bin/x', 'y'], { limits, files }, none)).toEqual(['/bin/x', 'y']);
  });

  it('puts the parent-death signal last, after every change of credentials', () => {
    const wrappers = { ...none, noNetwork: ['/u', '--user', '--net', '--'], prlimit: '/p', setpriv: '/s' };
    expect(cage(['/bin/x', '-y'], { limits, files }, wrappers).join(' ')).toBe(
      '/u --user --net -- /p --as=1000 --cpu=4:6 --fsize=0 --core=0 --nofile=64 -- ' +
        '/s --pdeathsig KILL --no-new-privs -- /bin/x -y',
    );
  });

  it('shows a program its own files, those of others that it was given to read only, and then closes the rest', () => {
    const wrappers = { ...none, sandbox: '/b', noNetwork: ['/u', '--'], prlimit: '/p', setpriv: '/s' };
    const line = cage(['/bin/x', '-y'], { limits, files }, wrappers).join(' ');
    expect(line).toMatch(/^\/p .* -- \/b --unshare-all /);
    expect(line).toContain(
      ' --ro-bind /data/sound /data/sound --bind /data/own /data/own --remount-ro /dev --remount-ro / ' +
        '--chdir /data/own -- /bin/sh -c "$@"; exit $? sh /bin/x -y',
    );
    expect(line).not.toMatch(/^\/u| \/s |bind \/usr\/bin\/x/);
  });

  it('leaves alone what is not limited: raising a limit is not everybody’s right', () => {
    const endless = { ...limits, memoryBytes: Infinity, cpuSeconds: Infinity };
    const line = cage(['/bin/x'], { limits: endless, files }, { ...none, prlimit: '/p' });
    expect(line.join(' ')).toBe('/p --fsize=0 --core=0 --nofile=64 -- /bin/x');
  });
});
