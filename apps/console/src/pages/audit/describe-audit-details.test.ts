import { describe, expect, it } from 'vitest';
import { describeAuditDetails } from './describe-audit-details.ts';

describe('describeAuditDetails', () => {
  it('has names of fields as words, and leaves out what has no value', () => {
    const details = { name: 'archive', expires_at: null, description: '', metadata: {}, sessions_ended: 2 };
    expect(describeAuditDetails(details, ['name'])).toBe('Sessions ended: 2');
  });

  it('has times, roles, lists and objects in plain words', () => {
    const text = describeAuditDetails(
      {
        expires_at: '2027-01-02T10:00:00.000Z',
        to: 'admin',
        events: ['completed', 'failed'],
        enabled: false,
      },
      [],
    );
    expect(text).toMatch(/^Expires: .*2027.*, To: Admin, Events: completed · failed, Enabled: No$/);
    expect(describeAuditDetails({ speakers: { SPEAKER_1: 'Ann', SPEAKER_2: null } }, [])).toBe(
      'Speakers: SPEAKER_1 Ann · SPEAKER_2 None',
    );
  });

  it('has what a sign-in and a link were for in plain words, and a name as it was given', () => {
    expect(describeAuditDetails({ method: 'oidc' }, [])).toBe('Method: Organisation');
    expect(describeAuditDetails({ purpose: 'set_password' }, [])).toBe('Purpose: To set a password');
    expect(describeAuditDetails({ name: 'owner' }, [])).toBe('Name: owner');
    expect(describeAuditDetails({ from: 'toString', to: 'constructor' }, [])).toBe('toString → constructor');
  });

  it('has what was before what is', () => {
    expect(describeAuditDetails({ to: 'admin', from: 'viewer' }, [])).toBe('Viewer → Admin');
  });

  it('hides what may be a token in a URL', () => {
    const url = { from: 'https://example.org/a?token=s3cret', to: 'https://example.org/b' };
    expect(describeAuditDetails({ url }, [])).toBe(
      'URL: from https://example.org/a?token=*** · to https://example.org/b',
    );
  });

  it('keeps characters that reverse the text within their value', () => {
    expect(describeAuditDetails({ from: 'a\u202eb', to: 'c' }, [])).toBe('\u2068a\u202eb\u2069 → c');
  });

  it('keeps a field of another version readable', () => {
    expect(describeAuditDetails({ some_new_field: 'x' }, [])).toBe('Some new field: x');
  });
});
