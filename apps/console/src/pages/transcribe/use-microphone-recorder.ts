import { useEffect, useRef, useState } from 'react';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import { texts } from '../../texts/index.ts';

export interface MicrophoneRecorder {
  isRecording: boolean;
  seconds: number;
  error: string | null;
  start: () => Promise<void>;
  stop: () => void;
}

/** Records the microphone. The recording becomes a file when it is stopped. */
export function useMicrophoneRecorder(onRecorded: (file: File) => void): MicrophoneRecorder {
  const recorder = useRef<MediaRecorder | null>(null);
  const [startedAt, setStartedAt] = useState<number | null>(null);
  const [seconds, setSeconds] = useState(0);
  const [error, setError] = useState<string | null>(null);
  useUnsavedInputGuard(startedAt !== null);
  useEffect(() => {
    if (startedAt === null) return undefined;
    const timer = setInterval(() => setSeconds((Date.now() - startedAt) / 1_000), 500);
    return () => clearInterval(timer);
  }, [startedAt]);
  // Leaving the page ends the recording.
  useEffect(() => () => recorder.current?.stop(), []);
  const start = async () => {
    setError(null);
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      recorder.current = record(stream, (file) => {
        recorder.current = null;
        setStartedAt(null);
        onRecorded(file);
      });
      setSeconds(0);
      setStartedAt(Date.now());
    } catch (failure) {
      const isDenied = failure instanceof DOMException && failure.name === 'NotAllowedError';
      setError(isDenied ? texts.transcribe.microphoneDenied : texts.transcribe.microphoneFailed);
    }
  };
  return { isRecording: startedAt !== null, seconds, error, start, stop: () => recorder.current?.stop() };
}

function record(stream: MediaStream, onStop: (file: File) => void): MediaRecorder {
  const recorder = new MediaRecorder(stream);
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  recorder.addEventListener('stop', () => {
    for (const track of stream.getTracks()) track.stop();
    const type = recorder.mimeType.split(';', 1)[0] ?? '';
    const time = new Date().toISOString().slice(0, 16).replace('T', ' ').replace(':', '-');
    const extension = type.split('/')[1] ?? 'webm';
    onStop(new File(pieces, `${texts.transcribe.recordingName(time)}.${extension}`, { type }));
  });
  recorder.start(1_000);
  return recorder;
}
