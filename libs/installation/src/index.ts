export { InstallationModule } from './installation.module.js';
export {
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
export { StoreOwnershipService } from './store-ownership.service.js';
export {
  STORE_MARKER_KEY,
  findStoreMarker,
  UNFINISHED_RESTORE_KEY,
  writeStoreMarker,
} from './store-marker.js';
export { MISMATCH_DESCRIPTIONS, StoreMismatchError } from './store-mismatch.js';
export {
  acceptRestoredDatabase,
  adoptStoreWithNewId,
  incrementBothGenerations,
} from './update-store-identity.js';
