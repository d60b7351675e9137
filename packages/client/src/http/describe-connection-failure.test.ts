import { describe, expect, it } from 'vitest';
import { describeConnectionFailure } from './describe-connection-failure.js';

const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });
const refused = (address: string) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' });

describe('describeConnectionFailure', () => {
  it('names the cause of a failed fetch', () => {
    expect(describeConnectionFailure(fetchFailed(refused('127.0.0.1:1')))).toBe(
      'connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  it('names the failure of each address of a host, whose common error has no message', () => {
    const cause = new AggregateError([refused('::1:1'), refused('127.0.0.1:1')], '');
    expect(describeConnectionFailure(fetchFailed(cause))).toBe(
      'connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  it('is one line, also for an error of TLS', () => {
    expect(describeConnectionFailure(fetchFailed(new Error('80:error:SSL routines:\nwrong version\n')))).toBe(
      '80:error:SSL routines: wrong version',
    );
  });

  it.each(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'])(
    'asks whether the URL should begin with http, for %s',
    (code) => {
      const cause = Object.assign(new Error('80:error:SSL routines:\nwrong'), { code });
      expect(describeConnectionFailure(fetchFailed(cause))).toBe(
        'the server does not speak TLS. Does its URL begin with http:// instead of https://?',
      );
    },
  );

  it('names the code of a cause without a message, and the error itself without a cause', () => {
    expect(describeConnectionFailure(fetchFailed(Object.assign(new Error(''), { code: 'EPIPE' })))).toBe(
      'EPIPE',
    );
    expect(describeConnectionFailure(new TypeError('Load failed'))).toBe('Load failed');
  });
});
