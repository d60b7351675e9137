import { useCallback, useEffect, useRef, useState } from 'react';
import { isMicrophoneRecording } from './microphone-recording.ts';

export interface ChosenFiles {
  files: readonly File[];
  changeFiles: (change: (before: readonly File[]) => readonly File[]) => void;
}

/**
 * The files of the form.
 *
 * @param onLeft gets the recordings that the form still had, or was making, when another page took its place: nobody has
 *   them elsewhere, and another tab or person may have caused it
 */
export function useChosenFiles(onLeft: (recordings: readonly File[]) => void): ChosenFiles {
  const [files, setFiles] = useState<readonly File[]>([]);
  const latest = useRef({ files, onLeft, isShown: false });
  useEffect(() => {
    Object.assign(latest.current, { files, onLeft });
  }, [files, onLeft]);
  useEffect(() => {
    const { current } = latest;
    current.isShown = true;
    return () => {
      current.isShown = false;
      leaveRecordings(current.files, current.onLeft);
    };
  }, []);
  const changeFiles: ChosenFiles['changeFiles'] = useCallback((change) => {
    const { current } = latest;
    if (current.isShown) setFiles(change);
    // The end of a recording arrives later than that of its page.
    else leaveRecordings(change([]), current.onLeft);
  }, []);
  return { files, changeFiles };
}

function leaveRecordings(files: readonly File[], onLeft: (recordings: readonly File[]) => void): void {
  const recordings = files.filter(isMicrophoneRecording);
  if (recordings.length > 0) onLeft(recordings);
}
