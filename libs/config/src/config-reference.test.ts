import { describe, expect, it } from 'vitest';
import { CONFIG_SCHEMA } from './config-schema.js';
import { renderConfigReference } from './config-reference.js';

describe('renderConfigReference', () => {
  it('has a row for every variable', () => {
    const page = renderConfigReference();
    const names = Object.values(CONFIG_SCHEMA).flatMap((section) =>
      Object.values(section).map((v) => v.name),
    );
    for (const name of names) expect(page).toContain(`| \`${name}\` |`);
    expect(new Set(names).size).toBe(names.length);
  });
});
