export { acceptRestoredDatabase, adoptStore } from './adopt-store.js';
export { advanceGeneration } from './advance-generation.js';
export {
  assertIdentitiesMatch,
  claimOrVerifyStore,
  readStoreIdentity,
  type StoreIdentity,
} from './store-identity.js';
export type { StoreState } from './compare-identities.js';
export { InstallationModule } from './installation.module.js';
export {
  readSecretFingerprint,
  registerInstallation,
  saveSecretFingerprint,
  type InstallationRow,
  readInstallationRow,
} from './installation.repository.js';
export { MARKER_KEY, readMarker, RESTORE_NOTE_KEY, type StoreMarker, writeMarker } from './store-marker.js';
export { MISMATCH_DESCRIPTIONS } from './create-store-mismatch.js';
export { type MismatchReason, StoreMismatchError } from './store-mismatch-error.js';
export { StoreIdentityVerifier, type StoreIdentityVerifierOptions } from './store-identity-verifier.js';
