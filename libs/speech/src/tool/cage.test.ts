import { describe, expect, it } from 'vitest';
import { cage } from './cage.js';

const limits = { memoryBytes: 1000, cpuSeconds: 3.2, fileBytes: 0, wallSeconds: 9 };

describe('cage', () => {
  it('is the bare command where no wrapper works', () => {
    expect(cage(['/bin/x', 'y'], limits, { noNetwork: null, prlimit: null, setpriv: null })).toEqual([
      '/bin/x',
      'y',
    ]);
  });

  it('puts the parent-death signal last, after every change of credentials', () => {
    const line = cage(['/bin/x', '-y'], limits, {
      noNetwork: ['/u', '--user', '--net', '--'],
      prlimit: '/p',
      setpriv: '/s',
    });
    expect(line.join(' ')).toBe(
      '/u --user --net -- /p --as=1000 --cpu=4:6 --fsize=0 --core=0 --nofile=64 -- ' +
        '/s --pdeathsig KILL --no-new-privs -- /bin/x -y',
    );
  });

  it('leaves alone what is not limited: raising a limit is not everybody’s right', () => {
    const endless = { ...limits, memoryBytes: Infinity, cpuSeconds: Infinity };
    const line = cage(['/bin/x'], endless, { noNetwork: null, prlimit: '/p', setpriv: null });
    expect(line.join(' ')).toBe('/p --fsize=0 --core=0 --nofile=64 -- /bin/x');
  });
});
