import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import {
  seekToTime,
  setPlaybackSpeed,
  PLAYBACK_SPEEDS,
  togglePlaying,
} from '../../transcript/audio-actions.ts';
import { formatDurationAsClock } from '../../lib/format.ts';
import type { TranscriptDocument } from '../../transcript/transcript-document.ts';
import { texts } from '../../texts/index.ts';
import { SpeakerTimeline } from './speaker-timeline.tsx';
import { useScrollPadding } from './use-scroll-padding.ts';

/** Seconds. Programs measure the same file a little differently; more is another file. */
const MAX_DURATION_DIFFERENCE = 2;

interface PlayerProps {
  document: TranscriptDocument;
  audio: HTMLAudioElement;
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
}

/** The controls of the audio, below the transcript. */
export function Player({ document, audio, isFollowing, onFollow }: PlayerProps) {
  const t = texts.transcript;
  const bar = useRef<HTMLElement>(null);
  useScrollPadding(bar);
  const { isPlaying, seconds, rate, duration: audioDuration, hasFailed } = useAudioState(audio);
  const hasDuration = Number.isFinite(audioDuration) && audioDuration > 0;
  const duration = hasDuration ? audioDuration : document.duration;
  const isOther = hasDuration && Math.abs(audioDuration - document.duration) > MAX_DURATION_DIFFERENCE;
  return (
    <section
      ref={bar}
      aria-label={t.player}
      className="border-line bg-surface sticky bottom-0 -mx-4 flex flex-col gap-2 border-t px-4 py-3"
    >
      {hasFailed && (
        <p role="alert" className="text-danger">
          {t.cannotPlay}
        </p>
      )}
      {isOther && (
        <p role="status" className="text-danger">
          {t.otherDuration(formatDurationAsClock(audioDuration), formatDurationAsClock(document.duration))}
        </p>
      )}
      <SpeakerTimeline document={document} />
      <input
        type="range"
        aria-label={t.position}
        aria-valuetext={t.positionOf(formatDurationAsClock(seconds), formatDurationAsClock(duration))}
        min={0}
        max={duration}
        step={0.1}
        value={Math.min(seconds, duration)}
        onChange={({ target }) => seekToTime(audio, Number(target.value))}
        className="accent-accent w-full"
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" className="min-w-20" onClick={() => togglePlaying(audio)}>
          {isPlaying ? t.pause : t.play}
        </Button>
        <Button aria-label={t.back} title={t.back} onClick={() => seekToTime(audio, audio.currentTime - 10)}>
          −10
        </Button>
        <Button
          aria-label={t.forward}
          title={t.forward}
          onClick={() => seekToTime(audio, audio.currentTime + 10)}
        >
          +10
        </Button>
        <p className="tabular-nums">
          {formatDurationAsClock(seconds)} / {formatDurationAsClock(duration)}
        </p>
        <label className="flex items-center gap-2">
          <span>{t.speed}</span>
          <select
            value={rate}
            onChange={({ target }) => setPlaybackSpeed(audio, Number(target.value))}
            className="border-control bg-surface min-h-9 rounded-md border px-2"
          >
            {PLAYBACK_SPEEDS.map((speed) => (
              <option key={speed} value={speed}>
                {speed}×
              </option>
            ))}
          </select>
        </label>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={({ target }) => onFollow(target.checked)}
            className="accent-accent h-5 w-5"
          />
          <span>{t.follow}</span>
        </label>
      </div>
    </section>
  );
}

function readState(audio: HTMLAudioElement) {
  return {
    isPlaying: !audio.paused,
    seconds: audio.currentTime,
    rate: audio.playbackRate,
    duration: audio.duration,
    hasFailed: audio.error !== null,
  };
}

const EVENTS = ['play', 'pause', 'ended', 'timeupdate', 'seeking', 'ratechange', 'durationchange', 'error'];

function useAudioState(audio: HTMLAudioElement) {
  const [state, setState] = useState(() => readState(audio));
  useEffect(() => {
    const update = () => setState(readState(audio));
    for (const name of EVENTS) audio.addEventListener(name, update);
    return () => {
      for (const name of EVENTS) audio.removeEventListener(name, update);
    };
  }, [audio]);
  return state;
}
