import { describe, expect, it } from 'vitest';
import { loadConfig } from '../load.js';

describe('PUBLIC_URL', () => {
  it.each(['https://speech.example.com', 'http://127.0.0.1:3000/', 'https://example.com/speech'])(
    'may be %s',
    (address) => {
      expect(loadConfig({ PUBLIC_URL: address }).api.publicUrl).toBe(address);
    },
  );

  it.each(['https://h/p?x=1#y', 'https://h?', 'https://h/#', 'https://user:hunter2@h', 'https://user@h'])(
    'is not %s, and that is not repeated',
    (address) => {
      expect(() => loadConfig({ PUBLIC_URL: address })).toThrow(/PUBLIC_URL must be an address without user/);
      expect(() => loadConfig({ PUBLIC_URL: address })).not.toThrow(/hunter2/);
    },
  );
});

describe('HEALTH_PORT', () => {
  it('is another port than that of the interface', () => {
    expect(loadConfig({ PORT: '3000', HEALTH_PORT: '3100' }).api.healthPort).toBe(3100);
    expect(() => loadConfig({ PORT: '3000', HEALTH_PORT: '3000' })).toThrow(
      'HEALTH_PORT must not be the same as PORT',
    );
  });
});

describe('CORS_ORIGINS', () => {
  it('takes origins, or all', () => {
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
  ])('refuses %s, which no browser sends', (origins) => {
    expect(() => loadConfig({ CORS_ORIGINS: origins })).toThrow(/CORS_ORIGINS must be \*, or origins/);
  });
});
