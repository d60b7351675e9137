import { expect, it } from 'vitest';
import { createValidatedDto } from '../../validation/create-validated-dto.js';
import { SaveWebhookEndpointDto } from './webhook-endpoints.dto.js';

it('a webhook endpoint with too many events is rejected before they are compared', () => {
  const events = Array.from({ length: 3 }, () => ({}));
  const settings = { url: 'https://host.example/hook', description: '', enabled: true, events };
  expect(() => createValidatedDto(SaveWebhookEndpointDto, settings)).toThrowError(
    expect.objectContaining({
      errors: [{ field: 'events', message: 'must name at most 2 events' }],
    }),
  );
});
