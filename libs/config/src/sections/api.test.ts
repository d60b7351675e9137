import { describe, expect, it } from 'vitest';
import { loadConfig } from '../load-config.js';

describe('PUBLIC_URL', () => {
  it.each(['https://speech.example.com', 'http://127.0.0.1:3000/', 'https://example.com/speech'])(
    'accepts %s',
    (url) => {
      expect(loadConfig({ PUBLIC_URL: url }).api.publicUrl).toBe(url);
    },
  );

  it.each(['https://h/p?x=1#y', 'https://h?', 'https://h/#', 'https://user:hunter2@h', 'https://user@h'])(
    'rejects %s without printing it',
    (url) => {
      expect(() => loadConfig({ PUBLIC_URL: url })).toThrow(/PUBLIC_URL must be a URL without user/);
      expect(() => loadConfig({ PUBLIC_URL: url })).not.toThrow(/hunter2/);
    },
  );
});

describe('HEALTH_PORT', () => {
  it('must differ from PORT', () => {
    expect(loadConfig({ PORT: '3000', HEALTH_PORT: '3100' }).api.healthPort).toBe(3100);
    expect(() => loadConfig({ PORT: '3000', HEALTH_PORT: '3000' })).toThrow(
      'HEALTH_PORT must not be the same as PORT',
    );
  });
});

describe('TRUSTED_PROXIES', () => {
  it('accepts addresses and networks, and none by default', () => {
    const proxies = ['10.0.0.7', '10.0.1.0/24', '2001:db8::/32', '::1'];
    expect(loadConfig({ TRUSTED_PROXIES: proxies.join(', ') }).api.trustedProxies).toEqual(proxies);
    expect(loadConfig({}).api.trustedProxies).toEqual([]);
  });

  it.each(['0.0.0.0/0', '::/0', 'true', 'loopback', 'proxy.example.com', '10.0.0.0/33', '10.0.0'])(
    'rejects %s',
    (text) => expect(() => loadConfig({ TRUSTED_PROXIES: text })).toThrow(/TRUSTED_PROXIES must be/),
  );
});

describe('CORS_ORIGINS', () => {
  it('accepts origins or *', () => {
    const origins = ['https://app.example.com', 'http://localhost:5173', 'capacitor://localhost'];
    expect(loadConfig({ CORS_ORIGINS: origins.join(', ') }).api.corsOrigins).toEqual(origins);
    expect(loadConfig({ CORS_ORIGINS: '*' }).api.corsOrigins).toEqual(['*']);
  });

  it.each([
    'example.com',
    'localhost:5173',
    'https://example.com/',
    'https://example.com/app',
    'https://Example.com',
    'https://example.com:443',
    'https://u:p@example.com',
    'https://good.example,bad.example',
  ])('rejects %s, which is no origin as browsers send it', (origins) => {
    expect(() => loadConfig({ CORS_ORIGINS: origins })).toThrow(/CORS_ORIGINS must be \*, or origins/);
  });
});
