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

  it('refers to the text for a default that it describes, and says that others are unset', () => {
    const page = renderConfigReference();
    expect(page).toContain('| `HEALTH_HOST` | see text |');
    expect(page).toContain('| `DATABASE_URL` | unset |');
  });
});
