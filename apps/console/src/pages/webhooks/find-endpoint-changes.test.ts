import { describe, expect, it } from 'vitest';
import type { WebhookEndpointSettings } from '../../api/webhooks.ts';
import { findEndpointChanges } from './find-endpoint-changes.ts';

const opened: WebhookEndpointSettings = {
  url: 'https://host.example/hook',
  description: 'orders',
  events: ['failed', 'completed'],
  enabled: true,
};

describe('the changes of an endpoint form', () => {
  it('contain only the fields that the user changed', () => {
    expect(findEndpointChanges(opened, { ...opened, description: 'new' })).toEqual({ description: 'new' });
    expect(findEndpointChanges(opened, { ...opened, events: ['failed'], enabled: false })).toEqual({
      events: ['failed'],
      enabled: false,
    });
    expect(findEndpointChanges(opened, { ...opened, url: 'https://other.example/' })).toEqual({
      url: 'https://other.example/',
    });
  });

  it('are empty if only the order of the events differs', () => {
    expect(findEndpointChanges(opened, { ...opened, events: ['completed', 'failed'] })).toEqual({});
  });
});
