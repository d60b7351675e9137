const CAGE = 'libs/speech/src/tool/cage.ts';
const CAGED = 'libs/speech/src/tool/protection.test.ts';

/** What keeps media of strangers, and the programs that read them, in their place. @type {import('./protection.mjs').Protection[]} */
export const MEDIA = [
  {
    what: 'media programs see their own files only',
    file: CAGE,
    by: 'the sandbox is left out',
    from: 'if (wrappers.sandbox) return',
    to: `if (wrappers.sandbox === '') return`,
    test: CAGED,
    name: 'opens no file but its own and those that it was given',
  },
  {
    what: 'media programs reach no network, also without a sandbox',
    file: CAGE,
    by: 'the network is left as it is',
    from: '...(noNetwork ?? []),',
    to: '...(noNetwork?.slice(noNetwork.length) ?? []),',
    test: CAGED,
    name: 'reaches no network, not even this machine',
  },
  {
    what: 'limits of media programs',
    file: CAGE,
    by: 'no limit is set',
    from: 'const limited = prlimit ?',
    to: `const limited = prlimit === '' ?`,
    test: CAGED,
    name: 'gets no more memory than its limit',
  },
  {
    what: 'no process of a media program is left',
    file: 'libs/speech/src/tool/sandbox.ts',
    by: 'processes are those of the whole machine',
    from: `['--unshare-all', '--as-pid-1',`,
    to: `['--unshare-net', '--unshare-ipc',`,
    test: CAGED,
    name: 'leaves no process behind, not even one that left its group',
  },
  {
    what: 'nothing is written to where a program that was taken over wants it',
    file: 'libs/speech/src/tool/work-folder.ts',
    by: 'a link that it left is followed',
    from: `{ flag: 'wx' }`,
    to: `{ flag: 'w' }`,
    test: 'test/speech/engine.pocketsphinx.kept.test.ts',
    name: 'cannot have its sound written to where a link of its own leads',
  },
  {
    what: 'files that name other files',
    file: 'libs/speech/src/decode/ffmpeg-arguments.ts',
    by: 'playlists are among the formats',
    from: `'-format_whitelist', FORMAT_WHITELIST`,
    to: `'-format_whitelist', \`\${FORMAT_WHITELIST},hls,concat,sdp,dash\``,
    test: 'test/faults/hostile-media.test.ts',
    name: 'playlists under the name of every format: not followed, even by a decoder without its cage',
  },
  {
    what: 'half a file does not pass for all of it',
    file: 'libs/speech/src/decode/decode.ts',
    by: 'a decoder that used up its time has done well',
    from: 'error.exitCode === STOPPED',
    to: 'error.exitCode === -STOPPED',
    test: 'test/faults/silent-day.test.ts',
    name: 'is given up at the limit of processor time: what was decoded until then does not pass for all of it',
  },
];
