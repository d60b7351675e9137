import { describe, expect, it } from 'vitest';
import { findLoopbackRedirect } from './loopback-redirect.js';

describe('findLoopbackRedirect', () => {
  it.each([
    ['http://127.0.0.1:8080', 'localhost:8080', 'http://127.0.0.1:8080/console/jobs?status=failed'],
    ['http://127.0.0.1:8080', '[::1]:8080', 'http://127.0.0.1:8080/console/jobs?status=failed'],
    ['http://localhost', '127.0.0.1', 'http://localhost/console/jobs?status=failed'],
  ])('sends a browser from another name of loopback to %s', (publicUrl, host, expected) => {
    expect(findLoopbackRedirect(publicUrl, host, '/console/jobs?status=failed')).toBe(expected);
  });

  it.each([
    ['the public host', 'http://127.0.0.1:8080', '127.0.0.1:8080'],
    ['another port, as of a tunnel', 'http://127.0.0.1:8080', 'localhost:9090'],
    ['a public URL of another machine', 'https://speech.example', 'localhost'],
    ['another host', 'http://127.0.0.1:8080', 'speech.example:8080'],
    ['a public URL with a path, which a proxy adds', 'http://localhost:8080/zephyr', '127.0.0.1:8080'],
    ['a host that is none', 'http://127.0.0.1:8080', 'local host'],
    ['no host', 'http://127.0.0.1:8080', undefined],
  ])('leaves it at %s', (_, publicUrl, host) => {
    expect(findLoopbackRedirect(publicUrl, host, '/console')).toBeNull();
  });

  it('leads to the public host whatever the path is', () => {
    expect(findLoopbackRedirect('http://127.0.0.1', 'localhost', '//other.example/x')).toBe(
      'http://127.0.0.1//other.example/x',
    );
  });
});
