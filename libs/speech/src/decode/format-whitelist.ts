/** Containers and bare streams that carry sound in themselves. */
const MEDIA_FORMATS = [
  ['wav', 'w64', 'aiff', 'au', 'caf', 'voc', 'sox', 'nistsphere'],
  ['mp3', 'aac', 'flac', 'ogg', 'ape', 'tta', 'wv', 'mpc', 'mpc8', 'dsf', 'shn', 'oma'],
  ['ac3', 'eac3', 'dts', 'truehd', 'amr', 'amrnb', 'amrwb', 'gsm'],
  ['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'matroska', 'webm'],
  ['avi', 'asf', 'flv', 'mpeg', 'mpegts', 'mxf', 'nut', 'rm', 'dv'],
];

/**
 * The only formats that the decoder may recognise, whatever a file is called. What is missing is missing on
 * purpose: playlists and manifests (they name other files and addresses), session descriptions, image
 * sequences, scripts and devices.
 */
export const FORMAT_WHITELIST = MEDIA_FORMATS.flat().join(',');
