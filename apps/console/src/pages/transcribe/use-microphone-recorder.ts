import { useEffect, useState } from 'react';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import { texts } from '../../texts/index.ts';
import { MicrophoneRecording } from './microphone-recording.ts';

export interface MicrophoneRecorder {
  /** While the browser asks for permission. */
  isStarting: boolean;
  isRecording: boolean;
  seconds: number;
  error: string | null;
  start: () => Promise<void>;
  stop: () => void;
}

/** Records the microphone. The recording becomes a file when it is stopped. */
export function useMicrophoneRecorder(onRecorded: (file: File) => void): MicrophoneRecorder {
  const [recording] = useState(() => new MicrophoneRecording());
  const [isStarting, setStarting] = useState(false);
  const [startedAt, setStartedAt] = useState<number | null>(null);
  const [seconds, setSeconds] = useState(0);
  const [error, setError] = useState<string | null>(null);
  useUnsavedInputGuard(startedAt !== null);
  useEffect(() => {
    if (startedAt === null) return undefined;
    const timer = setInterval(() => setSeconds((Date.now() - startedAt) / 1_000), 500);
    return () => clearInterval(timer);
  }, [startedAt]);
  // Leaving the page ends the recording, and what has not begun yet.
  useEffect(() => () => recording.stop(), [recording]);
  const start = async () => {
    if (recording.isActive) return;
    setError(null);
    setStarting(true);
    try {
      const isRecording = await recording.start((file) => {
        setStartedAt(null);
        onRecorded(file);
      });
      if (isRecording) {
        setSeconds(0);
        setStartedAt(Date.now());
      }
    } catch (failure) {
      setError(explainFailure(failure));
    }
    setStarting(false);
  };
  return { isStarting, isRecording: startedAt !== null, seconds, error, start, stop: () => recording.stop() };
}

function explainFailure(failure: unknown): string {
  // Over http the browser has no microphone for pages.
  if (!isSecureContext) return texts.transcribe.microphoneNeedsHttps;
  const isDenied = failure instanceof DOMException && failure.name === 'NotAllowedError';
  return isDenied ? texts.transcribe.microphoneDenied : texts.transcribe.microphoneFailed;
}
