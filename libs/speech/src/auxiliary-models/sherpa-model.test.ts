import { describe, expect, it } from 'vitest';
import type { InstalledModel } from '../models/installed-model.js';
import { HostRequestError } from '../sherpa/host/sherpa-host-process.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import { ToolFailedError, ToolTimeoutError } from '../tool/tool.js';
import { AuxiliaryModelError, LOADER_DEFAULTS, requestAuxiliaryModel } from './sherpa-model.js';

const KILLED = new ToolFailedError('sherpa-host', null, 'SIGKILL', '');
const model = { name: 'silero', files: {}, settings: {} } as unknown as InstalledModel;

/** What hosts answer that fail by these errors first, and how often they are asked. */
async function requestWith(failures: Error[], signal = new AbortController().signal) {
  let requests = 0;
  const hosts = {
    request: async () => {
      const failure = failures[requests++];
      if (failure) throw failure;
      return [];
    },
  } as unknown as SherpaHostPool;
  const request = { model: LOADER_DEFAULTS, samples: new Int16Array(0) };
  const outcome: unknown = await requestAuxiliaryModel(hosts, 'detectSpeech', request, {
    model,
    signal,
  }).catch((error: unknown) => error);
  return { outcome, requests };
}

describe('requestAuxiliaryModel', () => {
  it('repeats a request whose host was killed from outside', async () => {
    expect(await requestWith([KILLED, KILLED])).toEqual({ outcome: [], requests: 3 });
  });

  it('gives up if the hosts of three attempts were killed', async () => {
    const { outcome, requests } = await requestWith([KILLED, KILLED, KILLED]);
    expect(requests).toBe(3);
    expect(outcome).toBeInstanceOf(AuxiliaryModelError);
    expect(outcome).toMatchObject({ cause: KILLED });
  });

  it.each([
    ['failed', new HostRequestError('A run of the model failed.', '')],
    ['crashed its host', new ToolFailedError('sherpa-host', null, 'SIGSEGV', '')],
    ['ended its host', new ToolFailedError('sherpa-host', 1, null, '')],
    ['took too long', new ToolTimeoutError('sherpa-host', 'wall', 300)],
  ])('does not repeat a request whose model %s', async (_, failure) => {
    const { outcome, requests } = await requestWith([failure]);
    expect(requests).toBe(1);
    expect(outcome).toBeInstanceOf(AuxiliaryModelError);
  });

  it('does not repeat an aborted request', async () => {
    expect(await requestWith([KILLED], AbortSignal.abort('no longer wanted'))).toEqual({
      outcome: 'no longer wanted',
      requests: 1,
    });
  });
});
