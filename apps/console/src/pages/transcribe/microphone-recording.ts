import { texts } from '../../texts/index.ts';

const recordings = new WeakSet<File>();

/** Whether nobody has the file elsewhere. */
export function isMicrophoneRecording(file: File): boolean {
  return recordings.has(file);
}

/** Records the microphone, one recording at a time. */
export class MicrophoneRecording {
  private attempt: AbortController | null = null;

  /** From the request for the microphone to the end of the recording. */
  get isActive(): boolean {
    return this.attempt !== null;
  }

  /**
   * @returns whether it records: not if it is active already, or was stopped while the browser asked for permission
   * @throws DOMException `NotAllowedError` and others of `getUserMedia`
   */
  async start(onRecorded: (file: File) => void): Promise<boolean> {
    if (this.attempt) return false;
    const attempt = new AbortController();
    this.attempt = attempt;
    const end = () => {
      if (this.attempt === attempt) this.attempt = null;
    };
    let stream: MediaStream | undefined;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      if (attempt.signal.aborted) {
        turnOff(stream);
        return false;
      }
      const recorder = record(stream, (file) => {
        end();
        onRecorded(file);
      });
      attempt.signal.addEventListener('abort', () => recorder.stop());
      return true;
    } catch (error) {
      if (stream) turnOff(stream);
      end();
      throw error;
    }
  }

  stop(): void {
    this.attempt?.abort();
    this.attempt = null;
  }
}

function turnOff(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function record(stream: MediaStream, onStop: (file: File) => void): MediaRecorder {
  const recorder = new MediaRecorder(stream);
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  recorder.addEventListener('stop', () => {
    turnOff(stream);
    const type = recorder.mimeType.split(';', 1)[0] ?? '';
    const time = formatDayAndTimeForFileName(new Date());
    const extension = type.split('/')[1] ?? 'webm';
    const file = new File(pieces, `${texts.transcribe.recordingName(time)}.${extension}`, { type });
    recordings.add(file);
    onStop(file);
  });
  recorder.start(1_000);
  return recorder;
}

/** Such as `2026-03-01 09-05`, in the zone of the reader. */
function formatDayAndTimeForFileName(date: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
  return `${day} ${pad(date.getHours())}-${pad(date.getMinutes())}`;
}
