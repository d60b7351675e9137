type Playlist = (target: string, port: number) => string;

const hls = (...lines: string[]): string => `#EXTM3U\n#EXT-X-TARGETDURATION:9\n${lines.join('\n')}\n`;

/** By playlist format: texts that refer to another file or URL, and that are recognized under any file name. */
export const PLAYLISTS: Playlist[][] = [
  [
    (target) => hls('#EXTINF:9,', target, '#EXT-X-ENDLIST'),
    (target) => hls('#EXT-X-STREAM-INF:BANDWIDTH=64000', target),
    (target) => hls(`#EXT-X-KEY:METHOD=AES-128,URI="${target}"`, '#EXTINF:9,', target, '#EXT-X-ENDLIST'),
  ],
  [(target) => `ffconcat version 1.0\nfile '${target}'\n`],
  [
    (_target, port) =>
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio ${port} RTP/AVP 0\n`,
  ],
  [
    (target) =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet mimeType="audio/mp4">` +
      `<Representation id="a" bandwidth="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  ],
];

/** Spellings of a file path and of a loopback URL in a playlist. */
export function buildPlaylistTargets(path: string, port: number): string[] {
  return [
    path,
    `file:${path}`,
    `concat:${path}|${path}`,
    `subfile,,start,0,end,0,,:${path}`,
    `http://127.0.0.1:${port}/x.wav`,
    `tcp://127.0.0.1:${port}`,
  ];
}
