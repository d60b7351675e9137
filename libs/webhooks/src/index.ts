export { AddressRefused } from './outbound/address-refused.js';
export type { FetchAudioOptions, FetchedAudio, FetchTimeouts } from './outbound/fetch-audio.js';
export { FetchFailed, type FetchFailedKind } from './outbound/fetch-failed.js';
export { guardedDispatcher } from './outbound/guarded-dispatcher.js';
export { type OutboundAnswer, OutboundClient, type OutboundRequest } from './outbound/outbound-client.js';
export { OutboundFailure, type OutboundFailureKind } from './outbound/outbound-failure.js';
export { OutboundGuard, type OutboundGuardOptions } from './outbound/outbound-guard.js';
export type { Resolver } from './outbound/resolver.js';
