import type { ObjectStore } from '@app/storage';

/** Signed to learn where the store is; no request is sent with it. */
const EXAMPLE = { key: 'console', uploadId: 'console', partNumber: 1, expiresIn: 60 };

/** The origin that browsers send audio to, or null if it is the service's own. */
export async function findUploadOrigin(
  store: Pick<ObjectStore, 'presignPart'>,
  publicUrl: string,
): Promise<string | null> {
  const { origin } = new URL(await store.presignPart(EXAMPLE));
  return origin === new URL(publicUrl).origin ? null : origin;
}
