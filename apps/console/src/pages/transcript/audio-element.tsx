import { useCallback } from 'react';

interface AudioElementProps {
  file: File;
  onElement: (element: HTMLAudioElement | null) => void;
}

/** Plays the file. It has no controls of its own. */
export function AudioElement({ file, onElement }: AudioElementProps) {
  const attach = useCallback(
    (element: HTMLAudioElement) => {
      const url = URL.createObjectURL(file);
      element.src = url;
      onElement(element);
      return () => {
        onElement(null);
        element.removeAttribute('src');
        URL.revokeObjectURL(url);
      };
    },
    [file, onElement],
  );
  // The transcript is the text of the audio.
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  return <audio ref={attach} preload="auto" />;
}
