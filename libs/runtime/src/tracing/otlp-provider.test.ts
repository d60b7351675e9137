import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createProgramResource } from './otlp-provider.js';

describe('createProgramResource', () => {
  it('names the process, so that several of a program stay apart', () => {
    const program = { serviceName: 'zephyr-api', version: '1.2.3' };
    const { attributes } = createProgramResource(program);
    expect(attributes).toEqual({
      'service.name': 'zephyr-api',
      'service.version': '1.2.3',
      'service.instance.id': expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      'host.name': hostname(),
      'process.pid': process.pid,
    });
    // Of traces and of metrics.
    expect(createProgramResource(program).attributes).toEqual(attributes);
  });
});
