export { InstallationModule } from './installation.module.js';
export {
  type InstallationRow,
  getInstallationRow,
  findSecretFingerprint,
  insertInstallationIfAbsent,
  replaceSecretFingerprint,
} from './installation.repository.js';
export {
  assertStoreIdentitiesMatch,
  claimOrVerifyStore,
  type StoreIdentityComparison,
  compareStoreIdentities,
  type StoreIdentityState,
} from './store-identity.js';
export { StoreOwnershipService, type StoreOwnershipServiceOptions } from './store-ownership.service.js';
export {
  MARKER_KEY,
  findMarker,
  type StoreMarker,
  UNFINISHED_RESTORE_KEY,
  writeMarker,
} from './store-marker.js';
export { MISMATCH_DESCRIPTIONS, type StoreMismatchReason, StoreMismatchError } from './store-mismatch.js';
export {
  acceptRestoredDatabase,
  adoptStoreWithNewId,
  incrementBothGenerations,
} from './update-store-identity.js';
