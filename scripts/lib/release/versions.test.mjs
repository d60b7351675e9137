import { describe, expect, it } from 'vitest';
import { releaseChangelog, replaceVersion, setVersion } from './versions.mjs';

describe('setVersion', () => {
  it('writes the version to package.json and twice to package-lock.json', () => {
    expect(JSON.parse(setVersion('{"name":"z","version":"0.1.0"}', '0.2.0'))).toEqual({
      name: 'z',
      version: '0.2.0',
    });
    const lock = { version: '0.1.9', packages: { '': { version: '0.1.9' }, a: { version: '0.1.9' } } };
    expect(JSON.parse(setVersion(JSON.stringify(lock), '0.1.10'))).toEqual({
      version: '0.1.10',
      packages: { '': { version: '0.1.10' }, a: { version: '0.1.9' } },
    });
  });

  it.each(['0.1.0', '0.0.9', '1.0', 'v0.2.0', 'next'])('rejects %s after 0.1.0', (version) => {
    expect(() => setVersion('{"version":"0.1.0"}', version)).toThrow('is not a version after 0.1.0');
  });
});

describe('releaseChangelog', () => {
  it('moves unreleased entries under the version', () => {
    expect(
      releaseChangelog('# C\n\n## Unreleased\n\n- new\n\n## 0.1.0\n\n- old\n', '0.2.0', '2030-01-02'),
    ).toBe('# C\n\n## Unreleased\n\n## 0.2.0 (2030-01-02)\n\n- new\n\n## 0.1.0\n\n- old\n');
  });

  it.each(['# C\n', '# C\n\n## Unreleased\n\n## 0.1.0\n\n- old\n'])(
    'rejects a changelog without unreleased entries: %j',
    (text) => {
      expect(() => releaseChangelog(text, '0.2.0', '2030-01-02')).toThrow('nothing under “## Unreleased”');
    },
  );
});

describe('replaceVersion', () => {
  it('replaces each mention of the version, and no longer number that contains it', () => {
    expect(replaceVersion("newTag: '0.2.0'\nzephyr-0.2.0.tar.gz 10.0.2.0 0.2.01", '0.2.0', '0.3.0')).toBe(
      "newTag: '0.3.0'\nzephyr-0.3.0.tar.gz 10.0.2.0 0.2.01",
    );
  });

  it('rejects a text that does not mention it', () => {
    expect(() => replaceVersion("newTag: '0.1.0'", '0.2.0', '0.3.0')).toThrow('does not mention 0.2.0');
  });
});
