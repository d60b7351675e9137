export { AudioFetchError } from './audio-fetch-error.js';
export type { FetchAudioOptions } from './fetch-audio.js';
export { createGuardedAgent } from './guarded-agent.js';
export { OutboundClient, type OutboundRequest } from './outbound-client.js';
export { OutboundGuard } from './outbound-guard.js';
export { OutboundModule } from './outbound.module.js';
export { OutboundRequestError, toOutboundRequestError } from './outbound-request-error.js';
export type { Resolver } from './resolver.js';
export { SsrfBlockedError } from './ssrf-errors.js';
