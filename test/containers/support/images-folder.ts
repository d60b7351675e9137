/** Where `npm run test:containers` has built the images. */
export function findImagesFolder(): string {
  // oxlint-disable-next-line node/no-process-env -- a setting of the test, not of the service
  const folder = process.env['IMAGES_FOLDER'];
  if (folder === undefined) throw new Error('There are no images: run `npm run test:containers`.');
  return folder;
}
