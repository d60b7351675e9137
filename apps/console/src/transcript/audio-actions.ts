export const PLAYBACK_SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

export function togglePlaying(audio: HTMLAudioElement): void {
  if (audio.paused) play(audio);
  else audio.pause();
}

export function playFromTime(audio: HTMLAudioElement, seconds: number): void {
  seekToTime(audio, seconds);
  play(audio);
}

export function seekToTime(audio: HTMLAudioElement, seconds: number): void {
  audio.currentTime = seconds;
}

export function setPlaybackSpeed(audio: HTMLAudioElement, speed: number): void {
  audio.playbackRate = speed;
}

/** The next speed of the list; the first and the last stay. */
export function stepPlaybackSpeed(audio: HTMLAudioElement, step: 1 | -1): void {
  const next = PLAYBACK_SPEEDS.findIndex((speed) => speed >= audio.playbackRate) + step;
  setPlaybackSpeed(audio, PLAYBACK_SPEEDS[next] ?? audio.playbackRate);
}

/** The player shows why a file cannot be played. */
function play(audio: HTMLAudioElement): void {
  audio.play().catch(() => undefined);
}
